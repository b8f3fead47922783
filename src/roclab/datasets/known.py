"""What is known of each table: by it a copy is recognised."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["KNOWN", "Known"]


class Known(NamedTuple):
    """Counts of a table.

    Attributes
    ----------
    rows, features, positives : int
        Rows, columns without the class, and rows of the positive class.
    missing : int
        Empty cells.
    """

    rows: int
    features: int
    positives: int
    missing: int


# By name and version.
KNOWN = {
    ("monk1", "rarer class"): Known(556, 6, 278, 0),
    ("monk2", "rarer class"): Known(601, 6, 206, 0),
    ("monk2", "training file"): Known(169, 6, 64, 0),
    ("monk3", "rarer class"): Known(554, 6, 266, 0),
    ("kr-vs-kp", "rarer class"): Known(3_196, 36, 1_527, 0),
    ("tic-tac-toe", "rarer class"): Known(958, 9, 332, 0),
    ("credit-a", "rarer class"): Known(690, 15, 307, 67),
    ("australian", "rarer class"): Known(690, 14, 307, 0),
    ("credit-g", "rarer class"): Known(1_000, 20, 300, 0),
    ("spambase", "rarer class"): Known(4_601, 57, 1_813, 0),
    ("house-votes-84", "rarer class"): Known(435, 16, 168, 392),
    ("breast-cancer", "rarer class"): Known(286, 9, 85, 9),
    ("breast-w", "rarer class"): Known(699, 9, 241, 16),
    ("colic", "rarer class"): Known(368, 22, 136, 1_927),
    ("heart-statlog", "rarer class"): Known(270, 13, 120, 0),
    ("sick", "rarer class"): Known(3_772, 29, 231, 6_064),
    ("caravan", "rarer class"): Known(5_822, 85, 348, 0),
    ("hypothyroid", "rarer class"): Known(3_163, 25, 151, 5_329),
    ("mushroom", "rarer class"): Known(8_124, 22, 3_916, 2_480),
    ("wpbc", "rarer class"): Known(198, 33, 47, 4),
    ("pima", "rarer class"): Known(768, 8, 268, 0),
    ("spectf", "rarer class"): Known(267, 44, 55, 0),
    ("spectf-incorrect-test", "rarer class"): Known(269, 44, 55, 0),
    ("ionosphere", "rarer class"): Known(351, 34, 126, 0),
    ("heart-cleveland", "rarer class"): Known(303, 13, 139, 6),
    ("heart-hungarian", "rarer class"): Known(294, 13, 106, 782),
    ("sonar", "rarer class"): Known(208, 60, 97, 0),
    ("abalone", "18 against 9"): Known(731, 8, 42, 0),
    ("vehicle", "van"): Known(846, 18, 199, 0),
    ("vowel", "hed"): Known(990, 13, 90, 0),
    ("satimage", "damp grey soil"): Known(6_435, 36, 626, 0),
    ("satimage", "largest class"): Known(6_435, 36, 1_533, 0),
    ("glass", "largest class"): Known(214, 9, 76, 0),
    ("car", "largest class"): Known(1_728, 6, 1_210, 0),
    ("anneal", "largest class"): Known(898, 38, 684, 22_175),
    ("hepatitis", "rarer class"): Known(155, 19, 32, 167),
    ("lymphography", "largest class"): Known(148, 18, 81, 0),
    ("primary-tumor", "largest class"): Known(339, 17, 84, 225),
    ("soybean-large", "largest class"): Known(683, 35, 92, 2_337),
    ("solar-flare-1", "largest class"): Known(323, 10, 287, 0),
    ("solar-flare-2", "largest class"): Known(1_066, 10, 884, 0),
    ("hayes-roth", "largest class"): Known(160, 4, 65, 0),
    ("balance-scale", "largest class"): Known(625, 4, 288, 0),
    ("bridges-v1", "largest class"): Known(106, 11, 44, 65),
    ("bridges-v2", "largest class"): Known(105, 11, 44, 61),
    ("hypothyroid-3772", "any hypothyroid"): Known(3_772, 29, 291, 6_064),
    ("airlines", "rarer class"): Known(539_383, 7, 240_264, 0),
    ("electricity", "rarer class"): Known(45_312, 8, 19_237, 0),
    ("covertype", "largest class"): Known(581_012, 54, 283_301, 0),
    ("asah", "rarer class"): Known(113, 5, 41, 0),
}
