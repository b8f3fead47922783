"""The file of settings: each mistake is said in one line, with what is needed."""

from datetime import UTC, datetime, timedelta

import pytest

from roclab.errors import InputError
from roclab.monitor.rules import Condition
from roclab.monitor.settings import ReferencePeriod, Settings, settings_of


@pytest.fixture
def read(tmp_path):
    """A function that reads a file with some content."""

    def read(text, encoding="utf-8"):
        path = tmp_path / "monitor.toml"
        path.write_bytes(text.encode(encoding))
        return Settings.read(path)

    return read


def test_nothing_is_all_defaults(read):
    assert read("") == Settings()


def test_all_kinds_of_values(read):
    found = read(
        """
        data = "store"
        [server]
        port = 0
        require_tokens = true
        trusted_proxies = ["127.0.0.1"]
        [store]
        synchronous = "normal"
        retention = "1.5 d"
        [limits]
        ahead = "90s"
        [defaults]
        cohort = "hour"
        reference = "2026-01-01/2026-03-01"
        [model.fraud]
        horizon = "6w"
        missing_label = "negative"
        segments = []
        reference = "first 60"
        [[rule]]
        when = "mean_score < -1.5"
        for = "3 cohorts"
        keep_firing_for = "30m"
        """
    )
    assert (found.server.port, found.server.require_tokens) == (0, True)
    assert found.store.retention == timedelta(hours=36)
    assert found.limits.ahead == timedelta(seconds=90)
    fraud = settings_of(found, "fraud")
    assert (fraud.cohort, fraud.horizon, fraud.segments) == ("hour", timedelta(weeks=6), ())
    assert fraud.reference == ReferencePeriod(first=60)
    other = settings_of(found, "another")
    assert other.reference == ReferencePeriod(
        start=datetime(2026, 1, 1, tzinfo=UTC), end=datetime(2026, 3, 1, tzinfo=UTC)
    )
    [rule] = found.rule
    assert rule.condition == Condition("mean_score", "<", -1.5)
    assert (rule.name, rule.lasting) == ("mean_score < -1.5", 3)
    assert rule.keep_firing_for == timedelta(minutes=30)


def test_a_file_that_an_editor_has_marked(read):
    assert read('data = "x"', "utf-8-sig").data.name == "x"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("data = 3", "data in the settings is 3; text is needed."),
        ("data =", "is not TOML"),
        ("dat = 3", "the settings has no setting 'dat'. Did you mean data?"),
        ("model = 3", "[model] is 3; a table is needed."),
        ("rule = 3", "Write [[rule]]."),
        ("[server]\nport = true", "a whole number from 0 to 65,535 is needed."),
        ("[server]\nrequire_tokens = 1", "true or false is needed."),
        ("[store]\nsynchronous = 'off'", '"full" or "normal" is needed.'),
        ("[limits]\nahead = '11000d'", "a duration such as"),
        ("[alerts]\nfalse_alarms_per_month = nan", "a number above 0 and at most 1,000 is needed."),
        ("[alerts]\npage = 'javascript:alert(1)'", "an address such as"),
        ("[model.a]\nwindow = '0.0000001s'", "a duration such as"),
        ("[model.a]\nwindow = '0d'", "a duration such as"),
        ("[model.a]\ncoverage = 0", "a number above 0 and at most 1 is needed."),
        ("[model.a]\nmargin = 1", "a number from 0 to below 1 is needed."),
        ("[model.a]\nsegments = [1]", "a list of texts is needed."),
        ("[model.a]\ntime_zone = 'Europe'", "a time zone such as"),
        ("[model.a]\nreference = 'first 29'", '"first 30" (or more)'),
        ("[model.a]\nreference = '2026-02-01/2026-01-01'", "ends after it begins"),
        ("[model.a]\nmissing_label = 'negative'", "has no horizon"),
        ('[model."a\\n"]', "printable text"),
        ("[model.a]\nchallenger_of = 'a'", "The model 'a' is the challenger of itself."),
        ("[defaults]\nchallenger_of = 'a'", "The model 'a' is the challenger of itself."),
        ("[model.a]\nchallenger_of = 'credi'\n[model.credit]", "Did you mean credit?"),
        ("[[rule]]\nfor = '2h'", '[[rule]] has no when. Add for example when = "auc.low < 0.70".'),
        ("[[rule]]\nwhen = 3", "when in [[rule]] is 3; text is needed."),
        ("[[rule]]\nwhen = ''", "when in [[rule]] is ''; text is needed."),
        ("[[rule]]\nwhen = 'low'", 'a condition such as "auc.low < 0.70" or "silence > 2h"'),
        ("[[rule]]\nwhen = 'acu < 0.5'", "(did you mean auc?)"),
        ("[[rule]]\nwhen = 'silence > 2'", 'silence with a duration such as "2h" is needed.'),
        ("[[rule]]\nwhen = 'auc < 5h'", "auc with a plain number is needed."),
        ("[[rule]]\nwhen = 'auc < 0.5'\nfor = 'x'", 'a number such as "3 cohorts"'),
        ("[[rule]]\nname = 'change'\nwhen = 'auc < 0.5'", "Give it another name."),
    ],
)
def test_mistakes(read, text, said):
    with pytest.raises(InputError) as error:
        read(text)
    assert said in str(error.value)


RULE = "[[rule]]\nwhen = 'volume < 5'\n"


@pytest.mark.parametrize(
    "other",
    [RULE, RULE + "model = 'credit'\n", "[[rule]]\nname = 'volume < 5'\nwhen = 'auc < 0.5'\n"],
)
def test_rules_that_would_share_their_alerts(read, other):
    for text in (RULE + other, other + RULE):
        with pytest.raises(InputError, match=r"Two rules are named 'volume < 5'"):
            read(text)


def test_rules_of_the_same_name_for_others(read):
    of_models = RULE + "model = 'credit'\n" + RULE + "model = 'fraud'\n"
    assert len(read(of_models).rule) == 2
    assert len(read(RULE + RULE + "segment = 'region'\n").rule) == 2
