"""The Discord bot: events in, calls of intake, engine, reply and cases, messages out.

Nothing here knows what a rule means. `medic.Medic` is the client, `parts.Parts` what its parts have in common;
`pasting` hears channels, `commands` answers slash commands, `casework.desk.Desk` carries a case from paste to solved,
`workers.pool.EnginePool` keeps the engine off the event loop. What a worker loads does not import discord.
"""
