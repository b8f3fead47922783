from dataclasses import replace

from roclab_studies.planning import pilots
from roclab_studies.planning.tables import from_pilots


def test_wide_positives_need_a_pilot():
    asked = [one for one in pilots.questions(fewer=10) if one.family == "very wide"]
    formula, pilot = (pilots.answer(replace(one, runs=100)) for one in asked)
    assert (formula.method, pilot.method) == ("delong", "pilot")
    assert 74 < formula.n_pos < 76
    assert pilot.n_pos > 90
    assert pilot.power > formula.power
    table = from_pilots([formula, pilot])
    assert f"| 75 | {formula.power:.3f} ±" in table
