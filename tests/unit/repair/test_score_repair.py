"""The map of scores: what it is made of, how it is stored, and what it refuses."""

import json
import math

import numpy as np
import pytest

import roclab as rl
from roclab.repair import RepairedSection

Y = [1, 0, 0, 1, 1, 0]
S = [0.9, 0.7, 0.7, 0.4, 0.4, 0.2]


def section(**changes):
    fields = {
        "method": "mirror",
        "low": 0.0,
        "high": 1.0,
        "scores": [0.2, 0.4, 0.8],
        "area": 0.1,
        "n_pos": 3,
        "n_neg": 3,
    }
    return RepairedSection(**fields | changes)


class TestRepairSection:
    def test_bounds_lie_in_the_middle_between_inside_and_outside(self):
        (one,) = rl.repair_section(Y, S).sections
        assert (one.low, one.high) == (pytest.approx(0.3), pytest.approx(0.8))
        assert one.scores.tolist() == [0.4, 0.7]
        assert (one.n_pos, one.n_neg, one.area) == (2, 2, pytest.approx(2 / 9))

    def test_bounds_are_infinite_at_the_ends_of_the_curve(self):
        (one,) = rl.repair_section([0, 1, 1, 0], [4, 3, 2, 1]).sections
        assert (one.low, one.high, one.scores.tolist()) == (1.5, math.inf, [2, 3, 4])
        (one,) = rl.repair_section([0, 1], [2, 1]).sections
        assert (one.low, one.high) == (-math.inf, math.inf)

    def test_neighbouring_doubles_are_told_apart(self):
        """Where no double lies between a section and the next score, the bound is one of them."""
        s = np.array([1.0, 0, 0, 0])
        for k in (1, 2, 3):
            s[k] = np.nextafter(s[k - 1], 0)
        y = [1, 0, 1, 0]
        repair = rl.repair_section(y, s)
        assert repair.apply(s).tolist() == s[[0, 2, 1, 3]].tolist()

    def test_the_first_of_equally_large_concavities_is_taken(self):
        y, s = [0, 1, 1, 0, 0, 1], [6, 5, 4, 3, 2, 1]
        areas = [one.area for one in rl.concavities(y, s)]
        assert areas == [1 / 9, 1 / 9]
        (one,) = rl.repair_section(y, s).sections
        assert one.scores.tolist() == [4, 5, 6]

    def test_chosen_concavities_are_repaired_and_no_others(self):
        y, s = [0, 1, 1, 0, 0, 1, 0, 0, 0], [9, 8, 7, 6, 5, 4, 3, 2, 1]
        found = rl.concavities(y, s)
        assert len(found) == 2
        repair = rl.repair_section(y, s, sections=[found[1]])
        assert repair.apply(s).tolist() == [9, 8, 7, 4, 5, 6, 3, 2, 1]
        assert rl.repair_section(y, s, sections=[]).apply(s).tolist() == s
        assert rl.repair_section(y, s, sections=found) == rl.repair_section(y, s, sections="all")

    def test_chosen_intervals_keep_their_bounds(self):
        repair = rl.repair_section(Y, S, sections=[(0.15, 0.5)])
        (one,) = repair.sections
        assert (one.low, one.high, one.scores.tolist()) == (0.15, 0.5, [0.2, 0.4])
        assert one.area == pytest.approx(-1 / 9)  # it was the right way round
        assert repair.repaired_auc == pytest.approx(repair.auc - 2 / 9)

    @pytest.mark.parametrize(
        ("sections", "message"),
        [
            ([(0.1, 0.5), (0.3, 0.95)], "Two sections overlap: 0.1 to 0.5 and 0.3 to 0.95"),
            ([(0.5, 0.5)], "is empty"),
            ([(0.6, 0.8)], "has 1 distinct score of these data; two distinct"),
            ([(2, 3)], "has 0 distinct scores"),
            ([0.4], "is not a section"),
            ([("a", "b")], "is not a section"),
            ("biggest", "Choose 'largest' or 'all'"),
            (7, "sections is a int"),
        ],
    )
    def test_refuses_sections(self, sections, message):
        with pytest.raises(rl.InputError, match=message):
            rl.repair_section(Y, S, sections=sections)

    def test_refuses_an_unknown_method(self):
        with pytest.raises(rl.InputError, match="'mirror' or 'flatten'"):
            rl.repair_section(Y, S, method="rotate")

    def test_refuses_scores_with_which_it_cannot_calculate(self):
        with pytest.raises(rl.InputError, match="infinite"):
            rl.repair_section([1, 0], [0.0, np.inf])
        with pytest.raises(rl.InputError, match="beyond 2\\*\\*53"):
            rl.repair_section([1, 0], [2**53 + 2, 0])
        with pytest.raises(rl.InputError, match="beyond 2\\*\\*53"):
            rl.repair_section([1, 0], np.array([-(2**63), 0]))

    def test_integers_up_to_the_limit_are_exact(self):
        s = np.array([2**53, 2**53 - 1, -(2**53)])
        repair = rl.repair_section([0, 1, 0], s)
        assert repair.apply(s).tolist() == [2**53 - 1, 2**53, -(2**53)]

    def test_counts_without_rows_are_enough(self):
        ranking = rl.Ranking.from_groups([1, 2, 3], pos=[2, 5, 1], neg=[3, 2, 4])
        repair = rl.repair_section(ranking)
        assert repair.apply([1, 2, 3]).tolist() == [1, 3, 2]
        with pytest.raises(rl.InputError, match="no rows"):
            repair.explain()


class TestApply:
    repair = rl.repair_section(Y, S)

    def test_scores_outside_are_unchanged(self):
        outside = [-np.inf, -5.0, 0.2, 0.29, 0.81, 0.9, 7.0, np.inf]
        assert self.repair.apply(outside).tolist() == outside

    def test_inside_but_beyond_the_fitted_scores_the_nearest_counts(self):
        assert self.repair.apply([0.31, 0.79]).tolist() == [0.7, 0.4]

    def test_an_open_end_takes_all_scores_beyond(self):
        repair = rl.repair_section([0, 1], [2.0, 1.0])
        assert repair.apply([-np.inf, 0, 1, 1.25, 2, 9, np.inf]).tolist() == [
            2,
            2,
            2,
            1.75,
            1,
            1,
            1,
        ]

    def test_does_not_change_its_argument(self):
        given = np.array(S)
        self.repair.apply(given)
        assert given.tolist() == S

    def test_types(self):
        assert self.repair.apply(np.float32([0.25])).dtype == np.float64
        assert self.repair.apply([1, 0]).tolist() == [1.0, 0.0]
        assert self.repair.apply([]).tolist() == []

    @pytest.mark.parametrize("bad", [[0.1, np.nan], [[0.1, 0.2]], ["a"], 0.5, [2**60]])
    def test_refuses(self, bad):
        with pytest.raises(rl.InputError):
            self.repair.apply(bad)


class TestComposition:
    def test_steps_follow_one_another(self):
        first = rl.repair_section(Y, S)
        second = rl.repair_section(Y, first.apply(S), sections=[(0.15, 0.75)], method="flatten")
        both = first.then(second)
        assert both.apply(S).tolist() == second.apply(first.apply(S)).tolist()
        assert len(both) == 2
        assert both.auc == first.auc
        assert both.repaired_auc == pytest.approx(rl.auc(Y, both.apply(S)))
        assert repr(both).startswith("ScoreRepair(1 section mirrored, 1 section flattened, AUC ")

    def test_only_repairs_follow(self):
        with pytest.raises(rl.InputError, match="other is a list; another ScoreRepair"):
            rl.repair_section(Y, S).then([])

    def test_the_empty_repair_is_neutral(self):
        repair = rl.repair_section(Y, S)
        assert repair.then(rl.ScoreRepair()) == repair == rl.ScoreRepair().then(repair)
        assert repr(rl.ScoreRepair()) == "ScoreRepair(nothing to do)"


class TestSection:
    @pytest.mark.parametrize(
        "changes",
        [
            {"scores": [0.2]},
            {"scores": []},
            {"scores": [0.4, 0.2]},
            {"scores": [0.2, 0.2]},
            {"scores": [0.2, np.inf]},
            {"scores": [0.2, np.nan]},
            {"scores": [[0.2, 0.3]]},
            {"low": 0.3},
            {"high": 0.8},
            {"method": "turn"},
        ],
    )
    def test_refuses(self, changes):
        with pytest.raises(rl.InputError):
            section(**changes)

    def test_is_compared_by_value(self):
        assert section() == section()
        assert hash(section()) == hash(section())
        assert section() != section(high=2.0)
        assert section(area=math.nan) == section(area=math.nan)
        assert section() != 1

    def test_steps_are_put_in_order(self):
        low, high = section(), section(low=1.0, high=3.0, scores=[1.5, 2.5])
        assert rl.ScoreRepair(steps=((high, low),)) == rl.ScoreRepair(steps=((low, high),))

    def test_prints_in_one_line(self):
        assert repr(section()) == "RepairedSection(0 to 1 mirrored, area 0.1, 3+ 3-)"


class TestJSON:
    text = rl.repair_section([0, 1], [2.0, 1.0]).to_json()

    def test_infinite_bounds_are_null(self):
        (step,) = json.loads(self.text)["steps"]
        assert step[0]["low"] is step[0]["high"] is None
        assert rl.ScoreRepair.from_json(self.text).sections[0].high == math.inf

    def test_knows_no_data(self):
        read = rl.ScoreRepair.from_json(self.text)
        assert math.isnan(read.auc)
        assert math.isnan(read.repaired_auc)
        with pytest.raises(rl.InputError, match="has no data"):
            read.explain()
        assert len(read.explain(rl.Ranking([0, 1], [2.0, 1.0]))) == 2

    def damaged(self, **changes):
        data = json.loads(self.text)
        data["steps"][0][0] |= changes
        return json.dumps(data)

    def test_refuses_what_is_no_repair(self):
        overlapping = json.loads(self.text)
        overlapping["steps"][0] *= 2
        for text, message in [
            ("", "not JSON"),
            ("[]", "is not a ScoreRepair"),
            ('{"format": "other"}', "is not a ScoreRepair"),
            (self.text.replace('"version": 1', '"version": 2'), "version 2"),
            (self.text.replace('"version": 1', '"version": true'), "says True.*a whole number"),
            (self.text.replace('"version": 1', '"version": 1.0'), "says 1.0.*a whole number"),
            (self.text.replace('"version": 1', '"edition": 1'), "says None.*a whole number"),
            (self.text.replace('"steps"', '"stairs"'), "damaged"),
            (self.damaged(scores=[2, 1]), "damaged.*ascending"),
            (self.damaged(scores="ab"), "damaged"),
            (self.damaged(low="1"), "damaged: low is '1', not a number"),
            (self.damaged(n_pos=2**63), "damaged: n_pos is too large"),
            (self.damaged(low=-(10**400)), "damaged: low is too large"),
            (self.damaged(method="turn"), "damaged.*not an option"),
            (json.dumps(overlapping), "damaged: Two sections overlap"),
        ]:
            with pytest.raises(rl.SerializationError, match=message):
                rl.ScoreRepair.from_json(text)


class TestExplanation:
    def test_lists_the_affected_examples(self):
        table = rl.repair_section(Y, S).explain()
        assert table.rows.tolist() == [1, 2, 3, 4]
        assert table.y_true.tolist() == [False, False, True, True]
        assert table.score.tolist() == [0.7, 0.7, 0.4, 0.4]
        assert table.repaired.tolist() == [0.4, 0.4, 0.7, 0.7]
        (effect,) = table.sections
        assert (effect.auc, effect.repaired_auc, effect.n_pos, effect.n_neg) == (0.0, 1.0, 2, 2)
        assert table.to_dict()["affected"][0] == {
            "row": 1,
            "y_true": False,
            "score": 0.7,
            "repaired": 0.4,
        }
        assert (table.n, len(table)) == (6, 4)

    def test_rows_are_those_of_the_input_also_with_weights(self):
        weighted = rl.Ranking([0, *Y], [0.5, *S], sample_weight=[0, 1, 1, 1, 1, 1, 1])
        table = rl.repair_section(weighted).explain()
        assert table.rows.tolist() == [2, 3, 4, 5]

    def test_of_other_data(self):
        table = rl.repair_section(Y, S).explain(rl.Ranking([0, 1, 1], [0.5, 0.45, 0.95]))
        assert table.rows.tolist() == [0, 1]
        assert table.repaired.tolist() == pytest.approx([0.6, 0.65])
        assert (table.auc, table.repaired_auc) == (0.5, 1.0)

    def test_follows_the_steps(self):
        repair = rl.repair_section(Y, S)
        table = repair.then(repair).explain()
        assert [(one.auc, one.repaired_auc) for one in table.sections] == [(0, 1), (1, 0)]
        assert table.repaired.tolist() == table.score.tolist()


def test_a_score_far_from_a_very_narrow_section():
    """The distance in widths of the section would be infinite."""
    repair = rl.repair_section([0, 1, 0, 0, 1], [0.0, 0.0, 0.0, 0.0, -5e-324])
    assert repair.apply([-(2.0**31), -5e-324, 0.0]).tolist() == [0.0, 0.0, -5e-324]
