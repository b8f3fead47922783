"""Properties of each table, by which a copy is verified.

They are those of the files used in the studies of this project. A test recomputes them if
ROCLAB_DATA names their folder.
"""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """Counts of a table, and a checksum.

    Attributes
    ----------
    rows, features, numeric, positives, missing : int
        Numbers of rows, features, numeric features, positive rows and empty cells.
    fingerprint : str
        The first 64 bits of a SHA-256 of all cells and labels, see `checks.fingerprint`.
    """

    rows: int
    features: int
    numeric: int
    positives: int
    missing: int
    fingerprint: str


# By name and version.
KNOWN = {
    ("monk1", "rarer class"): Known(556, 6, 0, 278, 0, "79416a3c7cb3c7f7"),
    ("monk2", "rarer class"): Known(601, 6, 0, 206, 0, "32e144a44e4e00c2"),
    ("monk2", "training file"): Known(169, 6, 0, 64, 0, "4bf629f38a62954d"),
    ("monk3", "rarer class"): Known(554, 6, 0, 266, 0, "e48514d8e21341fd"),
    ("kr-vs-kp", "rarer class"): Known(3_196, 36, 0, 1_527, 0, "23a55e48d4da03e4"),
    ("tic-tac-toe", "rarer class"): Known(958, 9, 0, 332, 0, "2b190fe90c124ded"),
    ("credit-a", "rarer class"): Known(690, 15, 6, 307, 67, "e689d277c8a02aca"),
    ("australian", "rarer class"): Known(690, 14, 6, 307, 0, "7da5cc73f0c19a59"),
    ("credit-g", "rarer class"): Known(1_000, 20, 7, 300, 0, "fff0be4bda013818"),
    ("spambase", "rarer class"): Known(4_601, 57, 57, 1_813, 0, "fadf218e282776c4"),
    ("house-votes-84", "rarer class"): Known(435, 16, 0, 168, 392, "46b71cfac6af5e0d"),
    ("breast-cancer", "rarer class"): Known(286, 9, 0, 85, 9, "a341bd85daf32c7e"),
    ("breast-w", "rarer class"): Known(699, 9, 9, 241, 16, "95ef102caf814212"),
    ("colic", "rarer class"): Known(368, 22, 7, 136, 1_927, "8112d6af3666572d"),
    ("heart-statlog", "rarer class"): Known(270, 13, 7, 120, 0, "4b600ec681878b50"),
    ("sick", "rarer class"): Known(3_772, 29, 6, 231, 6_064, "043851f549170dae"),
    ("caravan", "rarer class"): Known(5_822, 85, 83, 348, 0, "a46aaf5bb152d80e"),
    ("hypothyroid", "rarer class"): Known(3_163, 25, 7, 151, 5_329, "bb23e43a88afc049"),
    ("mushroom", "rarer class"): Known(8_124, 22, 0, 3_916, 2_480, "3152893b83ef9965"),
    ("wpbc", "rarer class"): Known(198, 33, 33, 47, 4, "df94ff5c0c75dc7a"),
    ("pima", "rarer class"): Known(768, 8, 8, 268, 0, "66154d4b24b50c90"),
    ("spectf", "rarer class"): Known(267, 44, 44, 55, 0, "340f61415c960ba7"),
    ("spectf-incorrect-test", "rarer class"): Known(269, 44, 44, 55, 0, "2a482c0d44627523"),
    ("ionosphere", "rarer class"): Known(351, 34, 34, 126, 0, "72ab0e2feedc9735"),
    ("heart-cleveland", "rarer class"): Known(303, 13, 6, 139, 6, "3385727278a5fea5"),
    ("heart-hungarian", "rarer class"): Known(294, 13, 6, 106, 782, "aa8121655a45d78f"),
    ("sonar", "rarer class"): Known(208, 60, 60, 97, 0, "94775b70763108fe"),
    ("abalone", "18 against 9"): Known(731, 8, 7, 42, 0, "6d4c9015145222e1"),
    ("vehicle", "van"): Known(846, 18, 18, 199, 0, "9da3646ce26c4e23"),
    ("vowel", "hed"): Known(990, 13, 10, 90, 0, "b55998f14572cc87"),
    ("satimage", "damp grey soil"): Known(6_435, 36, 36, 626, 0, "515fc73db2bc092c"),
    ("satimage", "largest class"): Known(6_435, 36, 36, 1_533, 0, "0f5e5d11e710efaa"),
    ("glass", "largest class"): Known(214, 9, 9, 76, 0, "8a778ded442574a2"),
    ("car", "largest class"): Known(1_728, 6, 0, 1_210, 0, "e7b9a265211147ef"),
    ("anneal", "largest class"): Known(898, 38, 6, 684, 22_175, "f655c5fdda98fd2a"),
    ("hepatitis", "rarer class"): Known(155, 19, 6, 32, 167, "92ffb271e49d4246"),
    ("lymphography", "largest class"): Known(148, 18, 3, 81, 0, "bbeb2134bdca4f53"),
    ("primary-tumor", "largest class"): Known(339, 17, 0, 84, 225, "eed439e560e157dd"),
    ("soybean-large", "largest class"): Known(683, 35, 0, 92, 2_337, "120f542d5c4ddb2e"),
    ("solar-flare-1", "largest class"): Known(323, 10, 0, 287, 0, "e47059e66cd7d670"),
    ("solar-flare-2", "largest class"): Known(1_066, 10, 0, 884, 0, "dc6a49804d215a55"),
    ("hayes-roth", "largest class"): Known(160, 4, 0, 65, 0, "de41699c34a638bf"),
    ("balance-scale", "largest class"): Known(625, 4, 4, 288, 0, "9284c46d5bf35b2e"),
    ("bridges-v1", "largest class"): Known(106, 11, 4, 44, 65, "12f00a146f189318"),
    ("bridges-v2", "largest class"): Known(105, 11, 2, 44, 61, "29306ae3a15151b3"),
    ("hypothyroid-3772", "any hypothyroid"): Known(3_772, 29, 6, 291, 6_064, "31e1361b29849106"),
    ("airlines", "rarer class"): Known(539_383, 7, 3, 240_264, 0, "64734568d63905cd"),
    ("electricity", "rarer class"): Known(45_312, 8, 7, 19_237, 0, "565356323244d494"),
    ("covertype", "largest class"): Known(581_012, 54, 10, 283_301, 0, "2ab2c3f11d979895"),
    ("asah", "rarer class"): Known(113, 5, 4, 41, 0, "38bb9a3a0d7a051a"),
}
