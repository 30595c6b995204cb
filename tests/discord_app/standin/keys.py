"""Where the handlers find the stand-in that they serve."""

from aiohttp import web

STANDIN = web.AppKey("standin", object)
