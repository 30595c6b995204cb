"""Errors as Discord answers them: HTTP status, JSON code, and for 50035 the path to each bad value."""


class ApiError(Exception):
    def __init__(self, status, code, message, errors=None):
        super().__init__(f"{status} {code} {message} {errors or ''}")
        self.status = status
        self.body = {"code": code, "message": message}
        if errors:
            self.body["errors"] = errors


def unknown(what, code):
    return ApiError(404, code, f"Unknown {what}")


UNKNOWN_CHANNEL = ("Channel", 10003)
UNKNOWN_GUILD = ("Guild", 10004)
UNKNOWN_MEMBER = ("Member", 10007)
UNKNOWN_MESSAGE = ("Message", 10008)
UNKNOWN_WEBHOOK = ("Webhook", 10015)
UNKNOWN_INTERACTION = ("interaction", 10062)


def missing_access():
    return ApiError(403, 50001, "Missing Access")


def missing_permissions():
    return ApiError(403, 50013, "Missing Permissions")


class Form:
    """Collects errors by path while a body is checked; `done` raises 50035 when there were any."""

    def __init__(self):
        self.errors = {}

    def at(self, path, code, message):
        node = self.errors
        for key in path:
            node = node.setdefault(str(key), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def length(self, path, text, most, least=0):
        if text is None:
            if least:
                self.at(path, "BASE_TYPE_REQUIRED", "This field is required")
            return
        if not isinstance(text, str):
            self.at(path, "STRING_TYPE_CONVERT", "Could not interpret value as string.")
        elif utf16(text) > most:
            self.at(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        elif len(text) < least:
            self.at(path, "BASE_TYPE_MIN_LENGTH", f"Must be {least} or more in length.")

    def count(self, path, items, most, least=0):
        if not least <= len(items) <= most:
            self.at(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")

    def done(self):
        if self.errors:
            raise ApiError(400, 50035, "Invalid Form Body", self.errors)


def utf16(text):
    """Length in UTF-16 units: the strictest reading of Discord's limits, for emoji count twice in its own client."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
