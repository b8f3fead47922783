"""One vocabulary: an option has the same name, meaning and place in every command."""

from collections import defaultdict

import pytest

from roclab.cli.app import app
from roclab.cli.messages import commands_of

COMMANDS = commands_of(app)
# Those that read no table, but a store: what their arguments are.
OF_THE_STORE = {
    "monitor serve": [],
    "monitor check": ["FILE"],
    "monitor status": [],
    "monitor export": [],
    "monitor backup": [],
    "monitor token": [None, "[NAME]"],
    "monitor forget": [],
}


def options():
    """Every option, with its help and the commands that have it."""
    found = defaultdict(lambda: defaultdict(set))
    for name, command in COMMANDS.items():
        for parameter in command.params:
            for option in parameter.opts:
                found[option][parameter.help].add(name)
    return found


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_that_reads_a_table_takes_a_file_or_standard_input(name):
    arguments = [one for one in COMMANDS[name].params if one.param_type_name == "argument"]
    if name in OF_THE_STORE:
        assert [one.metavar for one in arguments] == OF_THE_STORE[name]
    elif name in ("measures", "power"):
        assert arguments == []
    elif name == "change":
        assert [one.name for one in arguments] == ["before", "after"]
    else:
        assert arguments[-1].metavar == "FILE"
        assert not arguments[-1].required
        assert "standard input" in arguments[-1].help


def test_one_word_for_one_thing():
    found = options()
    labelled = set.union(*found["--label"].values())
    assert labelled == {*COMMANDS} - {"measures", "score", "repair apply", *OF_THE_STORE}
    # The same help wherever an option is the same.
    for option in ("--positive", "--weight", "--cluster", "--confidence", "--seed", "--data"):
        assert len(found[option]) == 1, (option, found[option])
    measures = {option for option in found if "measure" in option}
    assert measures == {"--measure"}


def test_what_is_random_has_a_seed():
    found = options()
    random = set().union(*found["--resamples"].values(), *found["--simulate"].values())
    assert set().union(*found["--seed"].values()) == {*random, "train"}


def test_lists_say_how_they_are_written():
    for command in COMMANDS.values():
        for parameter in command.params:
            if getattr(parameter, "multiple", False) and "=" not in parameter.metavar:
                assert "separated by commas" in parameter.help
                assert "may be repeated" in parameter.help
