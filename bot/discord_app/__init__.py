"""The Discord bot: events in, calls of intake, engine, reply and cases, messages out.

Nothing here knows what a rule means. `medic.Medic` is the client, `desk.Desk` carries a case from paste to solved,
`engine_pool.EnginePool` keeps the engine off the event loop. `engine_worker`, `jobs`, `detect`, `layout` and `links`
do not import discord.
"""
