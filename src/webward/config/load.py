"""From a TOML file, the environment and overrides to `Settings`; what is wrong is named, with the nearest spelling.

An override beats the environment, the environment beats the file, the file beats the preset and the defaults.
"""

# ruff: noqa: PTH111, PTH113, PTH118, PTH123 - importing pathlib takes 5 ms, and every start comes here
from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo, asdict, fields, replace

from webward.config.chat import with_model_key
from webward.config.egress import EgressPolicy, EgressSection
from webward.config.search import with_keys
from webward.config.store import with_folder
from webward.config.values import Settings
from webward.errors import InvalidConfiguration

PREFIX = "WEBWARD_"
CONFIG_VARIABLE = "WEBWARD_CONFIG"
SECRET_VARIABLE = "WEBWARD_SECRET"  # noqa: S105 - a name; one secret, whatever will be kept under it
OTHER_VARIABLES = frozenset((CONFIG_VARIABLE, "WEBWARD_REQUIRE_NETNS"))  # read elsewhere, so not unknown
FILE_NAME = "webward.toml"
MASK = "********"
PRESETS = {
    "public": EgressPolicy.public,
    "strict": EgressPolicy.strict,
    "development": EgressPolicy.development,
}
EXTENDED = (
    "unsafe-allow-hosts",
    "unsafe-allow-cidr",
)  # a preset opens these, a setting opens more, an override more still

Sections = dict[str, Mapping[str, object]]


class SettingsFile(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Settings as a file writes them."""

    egress: EgressSection = EgressSection()


def load_settings(
    path: str | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    overrides: Mapping[str, Mapping[str, object]] | None = None,
) -> Settings:
    """Read the settings of this process.

    Args:
        path: A TOML file; else the one that ``WEBWARD_CONFIG`` names, else ``webward.toml`` in the user's config
            folder, if it is there.
        environ: The environment; the process's own by default.
        overrides: Sections with kebab-case keys that beat file and environment.

    Raises:
        InvalidConfiguration: A file cannot be read, a key is unknown, or a value is bad.
    """
    environ = os.environ if environ is None else environ
    merged = _read_file(path, environ)
    for section, values in _from_environment(environ).items():
        merged[section] = _merged(_section(merged, section), values, section)
    for section, values in (overrides or {}).items():
        before = _section(merged, section)
        merged[section] = {**_merged(before, values, section), **_added(before, values)}
    settings = settings_from_mapping(merged)
    return replace(
        settings,
        search=with_keys(settings.search, environ),
        chat=with_model_key(settings.chat, environ),
        store=with_folder(settings.store, environ),
    )


def settings_from_mapping(mapping: Mapping[str, Mapping[str, object]]) -> Settings:
    """Settings from sections with kebab-case keys, as a TOML file has them.

    Raises:
        InvalidConfiguration: A key is unknown or a value is bad.
    """
    kinds = {key: field.type for key, field in _fields_by_key(SettingsFile).items()}
    for section in mapping:
        if section not in kinds:
            raise _unknown(section, _spellings(section), "section")
        _require_known(_section(mapping, section), section, kinds[section])
    parts: dict[str, Any] = {
        section: _convert(_with_preset(values) if section == "egress" else values, section)
        for section, values in mapping.items()
    }
    return Settings(**parts)


def checked_settings(settings: Settings) -> Settings:
    """Check settings that were made in Python, where nothing looks at types and bounds.

    Raises:
        InvalidConfiguration: A value is bad.
    """
    if not isinstance(settings, Settings):
        raise InvalidConfiguration("settings must be a webward.Settings")
    sections: dict[str, Any] = {
        key: _convert(msgspec.to_builtins(getattr(settings, field.name)), key)
        for key, field in _fields_by_key(Settings).items()
    }
    return Settings(**sections)


def section_kinds() -> dict[str, type[Any]]:
    """The sections of a settings file, those within others too (``search.brave``), and what each holds."""
    return dict(_sections(SettingsFile))


def keys_of(kind: type[Any]) -> dict[str, FieldInfo]:
    """The keys of a section that are no sections themselves."""
    return {key: field for key, field in _fields_by_key(kind).items() if not _is_section(field.type)}


def variable_of(section: str, key: str) -> str:
    """The environment variable of a key."""
    if (section, key) == ("store", "secret"):
        return SECRET_VARIABLE
    return f"{PREFIX}{section}_{key}".upper().translate(str.maketrans("-.", "__"))


def settings_schema() -> dict[str, Any]:
    """JSON Schema of a settings file."""
    return msgspec.json.schema(SettingsFile)


def settings_toml(settings: Settings) -> str:
    """The settings as a TOML file that would give them; a proxy password and keys are masked."""
    lines: list[str] = []
    for section, kind in _sections(Settings):
        lines.append(f"[{section}]")
        values = attrgetter(section)(settings)
        for key, field in keys_of(kind).items():
            value = getattr(values, field.name)
            text = MASKED[key](value) if key in MASKED and value else value
            lines.append(f"# {key} is not set" if value is None else f"{key} = {_toml(text)}")
        lines.append("")
    return "\n".join(lines)


def _section(mapping: Mapping[str, object], key: str, parent: str = "") -> Mapping[str, object]:
    values = mapping.get(key, {})
    if not isinstance(values, Mapping):
        section = parent + key
        raise InvalidConfiguration(f"{section} must be a section with keys, as in [{section}]", setting=section)
    return values


def _merged(before: Mapping[str, object], values: Mapping[str, object], section: str) -> dict[str, object]:
    """The values over those from before, in sections within, too."""
    within = {
        key: _merged(_section(before, key, f"{section}."), inner, f"{section}.{key}")
        for key, inner in values.items()
        if isinstance(inner, Mapping)
    }
    return {**before, **values, **within}


def _require_known(values: Mapping[str, object], section: str, kind: type[Any]) -> None:
    known = _fields_by_key(kind)
    for key in values:
        if key not in known:
            raise _unknown(f"{section}.{key}", [f"{section}.{name}" for name in known], "setting")
        if _is_section(known[key].type):
            _require_known(_section(values, key, f"{section}."), f"{section}.{key}", known[key].type)


def _sections(kind: type[Any], within: str = "") -> Iterator[tuple[str, type[Any]]]:
    for key, field in _fields_by_key(kind).items():
        if _is_section(field.type):
            yield within + key, field.type
            yield from _sections(field.type, f"{within}{key}.")


def _is_section(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _read_file(path: str | None, environ: Mapping[str, str]) -> Sections:
    named = path or environ.get(CONFIG_VARIABLE)
    file = named or _user_file(environ)
    if not named and not os.path.isfile(file):
        return {}
    import tomllib  # noqa: PLC0415 - most starts have no file to read, and importing it takes 7 ms

    try:
        with open(file, "rb") as content:
            return tomllib.load(content)
    except OSError as error:
        raise InvalidConfiguration(f"cannot read the settings file {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidConfiguration(f"the settings file {file} is no valid TOML: {error}") from None


def _user_file(environ: Mapping[str, str]) -> str:
    if sys.platform == "win32":
        folder = environ.get("APPDATA") or "~"
    elif sys.platform == "darwin":
        folder = "~/Library/Application Support"
    else:
        folder = environ.get("XDG_CONFIG_HOME") or "~/.config"
    return os.path.join(os.path.expanduser(folder), "webward", FILE_NAME)


def _from_environment(environ: Mapping[str, str]) -> Sections:
    variables = {
        variable_of(section, key): (section, key, field)
        for section, kind in section_kinds().items()
        for key, field in keys_of(kind).items()
    }
    found: dict[str, Any] = {}
    for name, text in environ.items():
        if not name.startswith(PREFIX) or name in OTHER_VARIABLES:
            continue
        if name not in variables:
            raise _unknown(name, [*variables, CONFIG_VARIABLE], "environment variable")
        section, key, field = variables[name]
        values = found
        for part in section.split("."):
            values = values.setdefault(part, {})
        values[key] = _parse_variable(name, text, field)
    return found


def _parse_variable(name: str, text: str, field: FieldInfo) -> object:
    value = [item.strip() for item in text.split(",") if item.strip()] if _is_list(field.type) else text
    try:
        return msgspec.convert(value, field.type, strict=False)
    except msgspec.ValidationError as error:
        hint = "; say true or false" if field.type is bool else ""
        raise InvalidConfiguration(f"{name}: {_problem(error, field)}{hint}", setting=name) from None


def _is_list(kind: object) -> bool:
    return get_origin(kind) in (tuple, frozenset) or any(_is_list(inner) for inner in get_args(kind))


def _convert(values: Mapping[str, object], section: str) -> object:
    kind = _fields_by_key(Settings)[section].type
    try:
        return msgspec.convert(dict(values), kind)
    except msgspec.ValidationError as error:
        key = str(error).partition(" - at `$.")[2].rstrip("`").partition("[")[0]
        setting = f"{section}.{key}" if key else section
        problem = _problem(error, _field(kind, key))
        raise InvalidConfiguration(f"{setting}: {problem}", setting=setting) from None


def _problem(error: msgspec.ValidationError, field: FieldInfo | None) -> str:
    """What is wrong with a value, and the nearest of the words that its field takes; a pattern in words."""
    problem = str(error).partition(" - at `")[0]
    if field and " matching regex " in problem:
        return f"Expected {' or '.join(_descriptions(field.type))}"
    _, is_word, word = problem.partition("Invalid enum value ")
    return problem + _nearest(word.strip("'"), _words(field.type)) if is_word and field else problem


def _descriptions(kind: object) -> list[str]:
    """What the parts of a type say of themselves."""
    if isinstance(kind, msgspec.Meta):
        return [kind.description] if kind.description else []
    return [text for inner in get_args(kind) for text in _descriptions(inner)]


def _words(kind: object) -> list[str]:
    """The words of a type such as ``frozenset[Literal["http", "https"]]``."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [word for inner in get_args(kind) for word in _words(inner)]


def _with_preset(values: Mapping[str, object]) -> dict[str, object]:
    name = values.get("preset", "public")
    if not isinstance(name, str) or name not in PRESETS:
        near = _nearest(str(name), PRESETS)
        raise InvalidConfiguration(f"egress.preset: no preset {name!r}{near}", setting="egress.preset")
    preset = {key.replace("_", "-"): value for key, value in asdict(PRESETS[name]()).items()}
    merged = {**preset, **values, **_added(preset, values)}
    merged.pop("preset", None)
    return merged


def _added(before: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """The lists that what is given extends, rather than replaces."""
    added: dict[str, object] = {}
    for key in EXTENDED:
        old, new = before.get(key), given.get(key)
        if isinstance(old, list | tuple) and isinstance(new, list | tuple):
            added[key] = [*old, *new]
    return added


def _spellings(section: str) -> list[str]:
    """The right spellings of what stands for a section: a key without its section, or a section."""
    sections = section_kinds()
    homes = [f"{name}.{section}" for name, kind in sections.items() if section in _fields_by_key(kind)]
    return homes or list(sections)


def _field(kind: type[Any], key: str) -> FieldInfo | None:
    """The field of a key, which may be within a section within (``brave.api-key``)."""
    first, _, rest = key.partition(".")
    field = _fields_by_key(kind).get(first)
    return _field(field.type, rest) if field and rest else field


def _fields_by_key(kind: type[Any]) -> dict[str, FieldInfo]:
    return {field.encode_name: field for field in fields(kind)}


def _unknown(key: str, known: Mapping[str, object] | list[str], what: str) -> InvalidConfiguration:
    return InvalidConfiguration(f"unknown {what} {key!r}{_nearest(key, known)}", setting=key)


def _nearest(word: str, known: Mapping[str, object] | list[str]) -> str:
    import difflib  # noqa: PLC0415 - for errors only, and importing it takes 7 ms

    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0)
    return f"; did you mean {near[0]!r}?" if near else ""


def _masked(proxy: str) -> str:
    scheme, _, rest = proxy.rpartition("//")
    credentials, at, host = rest.rpartition("@")
    user, colon, _ = credentials.partition(":")
    shown = f"{user}:{MASK}" if colon else MASK  # a user name alone may be a token
    return f"{scheme}//{shown}@{host}" if at else proxy


def _hidden(_secret: str) -> str:
    return MASK


MASKED = {"proxy": _masked, "api-key": _hidden, "secret": _hidden}


def _toml(value: object) -> str:
    import json  # noqa: PLC0415 - for `webward config show` only

    if isinstance(value, frozenset | tuple):
        items = sorted(value) if isinstance(value, frozenset) else value
        return "[" + ", ".join(map(_toml, items)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML wants DEL escaped, JSON does not
