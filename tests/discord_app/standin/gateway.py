"""The gateway websocket: hello, identify, ready, heartbeat, resume, reconnect, invalid session, zlib-stream, replay."""

import asyncio
import contextlib
import json
import zlib

from aiohttp import WSMsgType, web

from standin.world import TOKEN

GUILDS, GUILD_MESSAGES, DM_MESSAGES, CONTENT = 1 << 0, 1 << 9, 1 << 12, 1 << 15
PRIVILEGED_WITHOUT_SWITCH = (1 << 1) | (1 << 8)
CONTENT_FLAGS = (1 << 18) | (1 << 19)


class Session:
    """One identified shard: numbered events kept for replay, and the socket they go to while it is there."""

    def __init__(self, session_id, intents, shard):
        self.id, self.intents, self.shard = session_id, intents, shard
        self.socket, self.seq, self.events = None, 0, []


class Socket:
    def __init__(self, ws, *, compress):
        self.ws = ws
        self.deflate = zlib.compressobj() if compress else None
        self.lock = asyncio.Lock()

    async def send(self, *payloads):
        """Send some payloads with nothing in between."""
        texts = [json.dumps(payload) for payload in payloads]
        async with self.lock:
            # A bot that was just killed gets nothing more, and nobody is told.
            with contextlib.suppress(ConnectionError):
                for text in texts:
                    await self._send(text)

    async def _send(self, text):
        if self.ws.closed:
            return
        if self.deflate is None:
            await self.ws.send_str(text)
        else:
            await self.ws.send_bytes(self.deflate.compress(text.encode()) + self.deflate.flush(zlib.Z_SYNC_FLUSH))


class Gateway:
    def __init__(self, standin):
        self.standin, self.world = standin, standin.world
        self.sessions, self.identifies, self.resumes = {}, [], []
        self.heartbeats = 0
        self.replay_extra = 0  # events that a resume repeats although they were delivered

    async def handle(self, request):
        if request.query.get("v") != "10" or request.query.get("encoding") != "json":
            raise web.HTTPBadRequest
        ws = web.WebSocketResponse(max_msg_size=0)
        await ws.prepare(request)
        socket = Socket(ws, compress=request.query.get("compress") == "zlib-stream")
        await socket.send({"op": 10, "d": {"heartbeat_interval": 41_250}, "s": None, "t": None})
        session = None
        async for frame in ws:
            if frame.type is not WSMsgType.TEXT:
                continue
            message = json.loads(frame.data)
            session = await self.receive(ws, socket, session, message["op"], message.get("d"))
        if session and session.socket is socket:
            session.socket = None
        self.standin.changed()
        return ws

    async def receive(self, ws, socket, session, op, data):
        if op == 1:
            self.heartbeats += 1
            await socket.send({"op": 11, "d": None, "s": None, "t": None})
        elif op == 2:
            return await self.identify(ws, socket, data)
        elif op == 6:
            return await self.resume(ws, socket, data)
        elif session is None:
            await ws.close(code=4003, message=b"Not authenticated.")
        return session

    async def identify(self, ws, socket, data):
        refused = self.refuse(data)
        if refused:
            await ws.close(code=refused[0], message=refused[1])
            return None
        session = Session(self.world.clock.snowflake(), data["intents"], data.get("shard", [0, 1]))
        session.socket = socket
        self.identifies.append((self.world.clock.now(), session))
        mine = [g for g in self.world.guilds.values() if self.on_shard(session, g)]
        ready = {
            "v": 10, "user": self.world.bot.json() | {"verified": True, "mfa_enabled": False, "email": None, "flags": 0}, "session_id": session.id, "shard": session.shard,
            "resume_gateway_url": self.standin.gateway_url, "application": {"id": self.world.application_id, "flags": self.world.application_flags},
            "guilds": [{"id": g.id, "unavailable": True} for g in mine], "private_channels": [], "_trace": [],
        }  # fmt: skip
        first = [self.numbered(session, "READY", ready)]
        first += [self.numbered(session, "GUILD_CREATE", guild.json(self.world.bot)) for guild in mine]
        # From here on nothing that happens is missed: it comes behind these.
        self.sessions[session.id] = session
        await socket.send(*first)
        self.standin.changed()
        return session

    def refuse(self, data):
        if data["token"] != TOKEN:
            return 4004, b"Authentication failed."
        if data["intents"] & PRIVILEGED_WITHOUT_SWITCH:
            return 4014, b"Disallowed intent(s)."
        if data["intents"] & CONTENT and not self.world.application_flags & CONTENT_FLAGS:
            return 4014, b"Disallowed intent(s)."
        return None

    async def resume(self, ws, socket, data):
        session = self.sessions.get(data["session_id"])
        if session is None or data["token"] != TOKEN or data["seq"] is None or data["seq"] > session.seq:
            await socket.send({"op": 9, "d": False, "s": None, "t": None})
            return None
        session.socket = socket
        start = max(0, data["seq"] - self.replay_extra)
        missed = [{"op": 0, "t": name, "s": seq, "d": body} for seq, name, body in session.events if seq > start]
        session.seq += 1
        await socket.send(*missed, {"op": 0, "t": "RESUMED", "s": session.seq, "d": {"_trace": []}})
        self.resumes.append(session)
        self.standin.changed()
        return session

    async def deliver(self, session, name, body):
        """Number an event, keep it for replay, and send it where the session is connected."""
        payload = self.numbered(session, name, body)
        if session.socket:
            await session.socket.send(payload)

    def numbered(self, session, name, body):
        session.seq += 1
        session.events.append((session.seq, name, body))
        return {"op": 0, "t": name, "s": session.seq, "d": body}

    async def dispatch(self, name, body, *, guild=None, intent=GUILDS):
        for session in list(self.sessions.values()):
            if self.on_shard(session, guild) and (session.intents & intent or intent == 0):
                await self.deliver(session, name, self.seen_by(session, name, body))

    def on_shard(self, session, guild):
        shard, count = session.shard
        return shard == (0 if guild is None else (int(guild.id) >> 22) % count)

    def seen_by(self, session, name, body):
        """Without the message-content intent, text and files are blank but in direct messages and where the bot is mentioned."""
        if not name.startswith("MESSAGE_") or session.intents & CONTENT or "content" not in body:
            return body
        me = self.world.bot.id
        if "guild_id" not in body or body["author"]["id"] == me or any(u["id"] == me for u in body["mentions"]):
            return body
        blank = {"content": "", "attachments": [], "embeds": [], "components": []}
        if "message_snapshots" in body:
            blank["message_snapshots"] = []
        return body | blank

    def live(self):
        return [s for s in self.sessions.values() if s.socket]

    async def ask_reconnect(self):
        for session in self.live():
            await session.socket.send({"op": 7, "d": None, "s": None, "t": None})

    async def drop(self):
        """Cut every connection without a close frame, as a lost network does."""
        for session in self.live():
            session.socket.ws._writer.transport.abort()
            session.socket = None

    async def invalidate(self, *, resumable):
        for session in self.live():
            if not resumable:
                del self.sessions[session.id]
            await session.socket.send({"op": 9, "d": resumable, "s": None, "t": None})
