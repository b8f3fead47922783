"""Settings of the monitor: the file `monitor.toml`, checked key by key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Self

from roclab.checks.choices import CohortPeriod
from roclab.checks.options import shown
from roclab.errors import InputError
from roclab.monitor.delivery import ChannelSettings
from roclab.monitor.rules import CHANGE, Condition, parse_condition
from roclab.monitor.toml_table import (
    TomlTable,
    UnusableError,
    Value,
    as_choice,
    as_count,
    as_duration,
    as_flag,
    as_path,
    as_text,
    as_texts,
    as_time_zone,
    as_web_address,
)

MissingLabel = Literal["unknown", "negative"]

PORT = 8711
FEWEST_BLOCKS = 30  # of a reference
HOURS_OF_A_WEEK = 168
_COHORTS = re.compile(r"(\d+) cohorts?")
_FIRST = re.compile(r"first (\d+)")


@dataclass(frozen=True, kw_only=True)
class ReferencePeriod:
    """What a stream is compared with: its first mature blocks, or those of a period."""

    first: int = FEWEST_BLOCKS
    start: datetime | None = None
    end: datetime | None = None

    def __str__(self) -> str:
        if self.start is None or self.end is None:
            return f"first {self.first}"
        return f"{self.start:%Y-%m-%d}/{self.end:%Y-%m-%d}"


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """Settings of a model.

    Attributes
    ----------
    cohort : {"hour", "day", "week"}
        Calendar period of a cohort.
    time_zone : str
        Time zone of the calendar, such as ``"Europe/Berlin"``.
    horizon : timedelta or None
        Age at which a cohort is mature, whatever its coverage. None: estimated from the delays of
        labels.
    missing_label : {"unknown", "negative"}
        What a label that has not come by the horizon means.
    coverage : float
        Share of labels that makes a cohort mature.
    segments : tuple of str or None
        Segments that are watched; None: all that come.
    reference : ReferencePeriod or None
        What streams are compared with. None: the first 30 blocks, or a week of hours.
    window : timedelta
        Length of the window of the current AUC.
    challenger_of : str or None
        Model that this one is compared with, on the same ids. Labels of that model are labels of
        this one.
    margin : float
        Irrelevant difference of AUCs in that comparison.
    """

    cohort: CohortPeriod = "day"
    time_zone: str = "UTC"
    horizon: timedelta | None = None
    missing_label: MissingLabel = "unknown"
    coverage: float = 0.95
    segments: tuple[str, ...] | None = None
    reference: ReferencePeriod | None = None
    window: timedelta = timedelta(days=7)
    challenger_of: str | None = None
    margin: float = 0.0

    @property
    def reference_period(self) -> ReferencePeriod:
        """What streams are compared with, whether or not it was chosen."""
        # A day or two of hours would be compared with other days of the week.
        first = HOURS_OF_A_WEEK if self.cohort == "hour" else FEWEST_BLOCKS
        return self.reference or ReferencePeriod(first=first)


@dataclass(frozen=True, kw_only=True)
class RuleSettings:
    """A condition rule: what is looked at, and for how long it must hold.

    `lasting` and `keep_firing_for` are durations, or numbers of cohorts.
    """

    name: str
    condition: Condition
    model: str | None = None
    segment: str | None = None
    lasting: timedelta | int = timedelta()
    keep_firing_for: timedelta | int = timedelta()


@dataclass(frozen=True, kw_only=True)
class AlertSettings:
    """Budget of false alarms, and where alerts go.

    Attributes
    ----------
    false_alarms_per_month : float
        Budget of the whole installation.
    page : str or None
        Address of the page in links, such as ``"https://monitor.example.org"``.
    channel : tuple of ChannelSettings
        Where alerts are delivered.
    """

    false_alarms_per_month: float = 1.0
    page: str | None = None
    channel: tuple[ChannelSettings, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What the service accepts; each refusal names the limit that it reached.

    Attributes
    ----------
    body : int
        Bytes of a request.
    batch : int
        Rows of a request.
    identifier : int
        Characters of an id, of the name of a model or version, and of a segment or its value.
    models : int
        Models of the installation.
    segments : int
        Segments of a model.
    segment_values : int
        Values of a segment; further ones are stored, but not watched. After 100,000 combinations of
        segments, further ones are not stored either.
    waiting_rows : int
        Rows that wait to be written, before requests are answered with 429.
    ahead : timedelta
        How far the time of a prediction may lie in the future.
    pause : timedelta
        How far the clock may jump ahead, or be from the last use of the store, to be believed.
    """

    body: int = 16 * 2**20
    batch: int = 50_000
    identifier: int = 200
    models: int = 200
    segments: int = 5
    segment_values: int = 50
    waiting_rows: int = 200_000
    ahead: timedelta = timedelta(minutes=5)
    pause: timedelta = timedelta(days=31)


@dataclass(frozen=True, kw_only=True)
class StoreSettings:
    """How data is kept.

    Attributes
    ----------
    retention : timedelta or None
        Age at which rows are removed; readings stay. None: never.
    synchronous : {"full", "normal"}
        ``"normal"`` may lose the last seconds when the machine, not the process, goes down.
    """

    retention: timedelta | None = None
    synchronous: Literal["full", "normal"] = "full"


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """Where the service listens, and whom it trusts.

    Attributes
    ----------
    host : str
        Address to listen at. Other addresses than loopback need tokens.
    port : int
        Port.
    require_tokens : bool
        Whether requests from this machine need tokens as well.
    trusted_proxies : tuple of str
        Addresses of proxies whose `user_header` names the user.
    user_header : str or None
        Header in which a trusted proxy names the user, such as ``"X-Forwarded-User"``.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    require_tokens: bool = False
    trusted_proxies: tuple[str, ...] = ()
    user_header: str | None = None


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings of an installation.

    Attributes
    ----------
    data : Path
        Directory of the store.
    server : ServerSettings
        Where the service listens, and whom it trusts.
    store : StoreSettings
        How data is kept.
    limits : Limits
        What the service accepts.
    alerts : AlertSettings
        Budget of false alarms, and where alerts go.
    defaults : ModelSettings
        Settings of models that are not named.
    model : mapping of str to ModelSettings
        Settings of models, by their names.
    rule : tuple of RuleSettings
        Condition rules.
    """

    data: Path = Path("roclab-monitor")
    server: ServerSettings = field(default_factory=ServerSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    limits: Limits = field(default_factory=Limits)
    alerts: AlertSettings = field(default_factory=AlertSettings)
    defaults: ModelSettings = field(default_factory=ModelSettings)
    model: Mapping[str, ModelSettings] = field(default_factory=dict)
    rule: tuple[RuleSettings, ...] = ()

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a file.

        Parameters
        ----------
        path : str or Path
            A file in TOML.
        """
        try:
            # Some editors mark a file as UTF-8.
            text = Path(path).read_text(encoding="utf-8-sig")
            found = tomllib.loads(text)
        except OSError as error:
            raise InputError(
                found="The settings {path} cannot be read: {reason}",
                path=path,
                reason=error.strerror or error,
            ) from None
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise InputError(
                found="{path} is not TOML: {reason}", path=path, reason=error
            ) from None
        return cls.of(found)

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Self:
        """Check settings that were read.

        Parameters
        ----------
        content : mapping
            Tables and values as in the file.
        """
        tables = TomlTable(content, "the settings")
        defaults = _model(tables.table("defaults"), ModelSettings())
        models = {
            _identifier(name, "model"): _model(TomlTable(one, f"[model.{name}]"), defaults)
            for name, one in tables.table("model").tables()
        }
        made = cls(
            data=tables.get("data", as_path, Path("roclab-monitor")),
            server=_filled(tables.table("server"), ServerSettings(), _SERVER),
            store=_filled(tables.table("store"), StoreSettings(), _STORE),
            limits=_filled(tables.table("limits"), Limits(), _LIMITS),
            alerts=_alerts(tables.table("alerts")),
            defaults=defaults,
            model=models,
            rule=tuple(_rule(one) for one in tables.list_of_tables("rule")),
        )
        tables.check_known(one.name for one in fields(cls))
        for rule in made.rule:
            _check_model(rule.model, models, f"rule {rule.name!r}")
        _check_names(made.rule)
        for name, one in models.items():
            _check_model(one.challenger_of, models, f"challenger_of of {name!r}")
            _check_challenger(name, one)
        if defaults.challenger_of is not None:
            _check_challenger(defaults.challenger_of, settings_of(made, defaults.challenger_of))
        return made


def settings_of(settings: Settings, model: str) -> ModelSettings:
    """Settings of a model, the defaults if the file does not name it."""
    return settings.model.get(model, settings.defaults)


def _share(value: Any) -> float:
    if type(value) in (int, float) and 0 < value <= 1:
        return float(value)
    raise UnusableError("a number above 0 and at most 1")


def _margin(value: Any) -> float:
    if type(value) in (int, float) and 0 <= value < 1:
        return float(value)
    raise UnusableError("a number from 0 to below 1")


def _budget(value: Any) -> float:
    if type(value) in (int, float) and 0 < value <= 1000:
        return float(value)
    raise UnusableError("a number above 0 and at most 1,000")


def _duration_or_cohorts(value: Any) -> timedelta | int:
    found = _COHORTS.fullmatch(value.strip()) if isinstance(value, str) else None
    if found:
        return int(found[1])
    try:
        return as_duration(value)
    except UnusableError:
        raise UnusableError('a duration such as "12h", or a number such as "3 cohorts",') from None


def _reference(value: Any) -> ReferencePeriod:
    needed = (
        f'"first {FEWEST_BLOCKS}" (or more), or a period such as "2026-01-01/2026-03-01", that '
        "ends after it begins,"
    )
    if isinstance(value, str):
        first = _FIRST.fullmatch(value.strip())
        if first and FEWEST_BLOCKS <= int(first[1]) <= 10_000:
            return ReferencePeriod(first=int(first[1]))
        try:
            start, end = (date.fromisoformat(one.strip()) for one in value.split("/"))
        except ValueError:
            raise UnusableError(needed) from None
        if start < end:
            return ReferencePeriod(start=_midnight(start), end=_midnight(end))
    raise UnusableError(needed)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _condition(value: Any) -> Condition:
    try:
        return parse_condition(as_text(value))
    except InputError as error:
        raise UnusableError(error.part("needed")) from None


_Checks = dict[str, Callable[[Any], Any]]
_SERVER: _Checks = {
    "host": as_text,
    "port": as_count(0, 65_535),
    "require_tokens": as_flag,
    "trusted_proxies": as_texts,
    "user_header": as_text,
}
_STORE: _Checks = {
    "retention": as_duration,
    "synchronous": as_choice(Literal["full", "normal"]),
}
_LIMITS: _Checks = {
    "body": as_count(1_000, 2**30),
    "batch": as_count(1, 1_000_000),
    "identifier": as_count(36, 1_000),
    "models": as_count(1, 10_000),
    "segments": as_count(0, 20),
    "segment_values": as_count(1, 1_000),
    "waiting_rows": as_count(1, 10_000_000),
    "ahead": as_duration,
    "pause": as_duration,
}
_MODEL: _Checks = {
    "cohort": as_choice(CohortPeriod),
    "time_zone": as_time_zone,
    "horizon": as_duration,
    "missing_label": as_choice(MissingLabel),
    "coverage": _share,
    "segments": as_texts,
    "reference": _reference,
    "window": as_duration,
    "challenger_of": as_text,
    "margin": _margin,
}
_AT_ONCE: timedelta | int = timedelta()
_RULE: _Checks = {
    "name": as_text,
    "when": _condition,
    "model": as_text,
    "segment": as_text,
    "for": _duration_or_cohorts,
    "keep_firing_for": _duration_or_cohorts,
}
_ALERTS: _Checks = {"false_alarms_per_month": _budget, "page": as_web_address}


def _filled(table: TomlTable, default: Value, checks: _Checks) -> Value:
    """A dataclass with the values of a table."""
    table.check_known(checks)
    given = {name: table.get(name, check, None) for name, check in checks.items()}
    present = {name: value for name, value in given.items() if name in table.content}
    return replace(default, **present)  # type: ignore[type-var]


def _model(table: TomlTable, defaults: ModelSettings) -> ModelSettings:
    made = _filled(table, defaults, _MODEL)
    if made.missing_label == "negative" and made.horizon is None:
        raise InputError(
            found='missing_label = "negative" in {place} has no horizon',
            needed="it must be known after which time a missing label means negative",
            fix='Add for example horizon = "90d".',
            place=table.place,
        )
    return made


def _alerts(table: TomlTable) -> AlertSettings:
    channels = [
        ChannelSettings.of(one.content, one.place) for one in table.list_of_tables("channel")
    ]
    for name in {one.name for one in channels}:
        if sum(one.name == name for one in channels) > 1:
            raise InputError(
                found="Two channels are named {name}", fix="Give each its own name.", name=name
            )
    rest = {name: value for name, value in table.content.items() if name != "channel"}
    made = _filled(TomlTable(rest, table.place), AlertSettings(), _ALERTS)
    return replace(made, channel=tuple(channels))


def _rule(table: TomlTable) -> RuleSettings:
    table.check_known(_RULE)
    condition = table.needed("when", _condition, 'when = "auc.low < 0.70"')
    return RuleSettings(
        name=table.get("name", as_text, str(condition)),
        condition=condition,
        model=table.get("model", as_text, None),
        segment=table.get("segment", as_text, None),
        lasting=table.get("for", _duration_or_cohorts, _AT_ONCE),
        keep_firing_for=table.get("keep_firing_for", _duration_or_cohorts, _AT_ONCE),
    )


def _check_model(name: str | None, models: Mapping[str, Any], place: str) -> None:
    near = get_close_matches(name or "", models, n=1)
    if name is not None and near and name not in models:
        raise InputError(
            found="The {place} names the model {name}, which the file has not",
            fix="Did you mean {near}?",
            place=place,
            name=shown(name),
            near=near[0],
        )


def _check_names(rules: tuple[RuleSettings, ...]) -> None:
    """Refuse rules that would share their state and alerts."""
    for place, rule in enumerate(rules):
        if rule.name == CHANGE:
            raise InputError(
                found="A rule is named {name}, as the change rules of all streams are",
                fix="Give it another name.",
                name=shown(rule.name),
            )
        if any(
            (rule.name, rule.segment) == (one.name, one.segment)
            and (rule.model == one.model or None in (rule.model, one.model))
            for one in rules[:place]
        ):
            raise InputError(
                found="Two rules are named {name}",
                fix="Give each its own name, by name = in [[rule]].",
                name=shown(rule.name),
            )


def _check_challenger(name: str, settings: ModelSettings) -> None:
    if settings.challenger_of == name:
        raise InputError(
            found="The model {name} is the challenger of itself",
            fix="Name another model in challenger_of, in the table of the challenger alone.",
            name=shown(name),
        )


def _identifier(name: str, what: str) -> str:
    if name and name == name.strip() and name.isprintable():
        return name
    raise InputError(
        found="{what} {name} is no name",
        needed="printable text without spaces at its ends is needed",
        what=what,
        name=shown(name),
    )
