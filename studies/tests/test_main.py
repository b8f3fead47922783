"""The command refuses unknown studies and methods."""

import pytest

from roclab_studies.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["coverage"], "no study coverage; there are "),
        (["error_rates", "--methods", "walds,delong"], "no method walds; there are "),
    ],
)
def test_unknown_words_are_refused(capsys, arguments, message):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
