"""What Discord refuses in application commands (developers/interactions/application-commands)."""

import unicodedata

from standin.errors import Form

LOCALES = {
    "id",
    "da",
    "de",
    "en-GB",
    "en-US",
    "es-ES",
    "es-419",
    "fr",
    "hr",
    "it",
    "lt",
    "hu",
    "nl",
    "no",
    "pl",
    "pt-BR",
    "ro",
    "fi",
    "sv-SE",
    "vi",
    "tr",
    "cs",
    "el",
    "bg",
    "ru",
    "uk",
    "hi",
    "th",
    "zh-CN",
    "ja",
    "zh-TW",
    "ko",
}
COMMANDS, TOTAL = 100, 8000


def slash_name(name):
    """`^[-_'\\p{L}\\p{N}\\p{sc=Deva}\\p{sc=Thai}]{1,32}$`, lower case where the letter has one."""

    def allowed(char):
        return (
            char in "-_'"
            or unicodedata.category(char)[0] in "LN"
            or "\u0900" <= char <= "\u097f"
            or "\u0e00" <= char <= "\u0e7f"
        )

    return 1 <= len(name) <= 32 and all(map(allowed, name)) and name == name.lower()


def check_commands(payload):
    form = Form()
    form.count([], payload, COMMANDS)
    names = set()
    for index, command in enumerate(payload):
        kind = command.get("type", 1)
        if (kind, command.get("name")) in names:
            form.at([index, "name"], "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
        names.add((kind, command.get("name")))
        if kind == 1:
            check_slash(form, [index], command)
            if size(command) > TOTAL:
                form.at([index], "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({TOTAL})")
        else:
            check_localized(form, [index, "name"], command.get("name"), command.get("name_localizations"), 32)
            if command.get("description"):
                form.at(
                    [index, "description"],
                    "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID",
                    "Context menu commands cannot have description",
                )
    for kind, most in ((2, 15), (3, 15)):
        if sum(command.get("type", 1) == kind for command in payload) > most:
            form.at([], "APPLICATION_COMMAND_MAX", f"Max {most} commands of type {kind}")
    form.done()


def check_localized(form, path, text, localizations, most, check=None):
    for locale, value in [(None, text), *(localizations or {}).items()]:
        at = path if locale is None else [*path[:-1], f"{path[-1]}_localizations", locale]
        if locale is not None and locale not in LOCALES:
            form.at(at, "BASE_TYPE_CHOICES", "This is not a locale of Discord's")
        form.length(at, value, most, 1)
        if check and isinstance(value, str) and not check(value):
            form.at(at, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def check_slash(form, path, command):
    check_localized(form, [*path, "name"], command.get("name"), command.get("name_localizations"), 32, slash_name)
    check_localized(
        form, [*path, "description"], command.get("description"), command.get("description_localizations"), 100
    )
    options = command.get("options") or []
    form.count([*path, "options"], options, 25)
    optional = False
    for locale in [None, *LOCALES]:
        shown = [
            option.get("name")
            if locale is None
            else (option.get("name_localizations") or {}).get(locale, option.get("name"))
            for option in options
        ]
        if len(set(shown)) != len(shown):
            form.at(
                [*path, "options"],
                "APPLICATION_COMMAND_OPTIONS_NAME_INVALID",
                f"Option names must be unique ({locale})",
            )
    for index, option in enumerate(options):
        at = [*path, "options", index]
        check_slash(form, at, option)
        if option.get("type", 3) > 2:
            if option.get("required") and optional:
                form.at(
                    [*at],
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                    "Required options must be placed before non-required options",
                )
            optional = optional or not option.get("required")
            check_option_choices(form, at, option)


def check_option_choices(form, at, option):
    choices = option.get("choices") or []
    form.count([*at, "choices"], choices, 25)
    if choices and option.get("autocomplete"):
        form.at(
            [*at, "autocomplete"],
            "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES",
            "Autocomplete and choices exclude each other",
        )
    for number, choice in enumerate(choices):
        where = [*at, "choices", number]
        check_localized(form, [*where, "name"], choice.get("name"), choice.get("name_localizations"), 100)
        if isinstance(choice.get("value"), str):
            form.length([*where, "value"], choice["value"], 100, 1)


def size(command):
    """Characters of a command as Discord counts them: the longest localization of each name, description and value."""

    def longest(key, part):
        return max(len(text) for text in [part.get(key) or "", *(part.get(f"{key}_localizations") or {}).values()])

    total = longest("name", command) + longest("description", command)
    for choice in command.get("choices") or []:
        total += longest("name", choice) + len(str(choice.get("value")))
    return total + sum(size(option) for option in command.get("options") or [])
