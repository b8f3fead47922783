"""The data sets known by name, and the choice of their two classes.

Of two classes the rarer one is positive, as in Castro and Braga; the other papers do not say. Of
more classes a paper may name the positive one. Otherwise the most frequent class is positive and
all others are negative.
"""

from __future__ import annotations

from dataclasses import dataclass

SCORED = "Wu, Flach and Ferri 2007"
AUCTRON = "Castro and Braga 2008"
GRANULAR = "Dong and others 2013"
REPAIR = "Flach and Wu 2005"

Words = tuple[str, ...]
RARER, LARGEST = "rarer class", "largest class"


@dataclass(frozen=True, kw_only=True)
class Definition:
    """How a file becomes a table with two classes.

    Attributes
    ----------
    name : str
        The data set, and its file without the suffix.
    version : str
        Distinguishes tables made from the same file.
    positive : tuple of str
        The positive classes, as the file spells them.
    negative : tuple of str
        The negative classes. Empty: all others. Rows of other classes are excluded.
    papers : tuple of str
        Papers that use this table.
    nominal : tuple of str
        Columns that are nominal though written as numbers; ``Soil_Type*`` means all columns with
        this beginning.
    drop : tuple of str
        Columns that are not features: identifiers, and other targets.
    first_rows : int or None
        Number of rows if the table is only the beginning of the file.
    openml : int or None
        The number of the same data set at OpenML; docs/how_to/load_data_sets.md describes how each
        was verified.
    """

    name: str
    version: str
    positive: tuple[str, ...]
    negative: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    first_rows: int | None = None
    openml: int | None = None


def _table(
    name: str,
    version: str,
    positive: str | Words,
    *papers: str,
    negative: Words = (),
    nominal: Words = (),
    drop: Words = (),
    first_rows: int | None = None,
    openml: int | None = None,
) -> Definition:
    return Definition(
        name=name,
        version=version,
        positive=(positive,) if isinstance(positive, str) else positive,
        negative=negative,
        papers=papers,
        nominal=nominal,
        drop=drop,
        first_rows=first_rows,
        openml=openml,
    )


EVERY = ("*",)
DEFINITIONS = (
    # Both have 278 rows, and no paper says which one is positive.
    _table("monk1", RARER, "0", SCORED, REPAIR, openml=333, nominal=EVERY),
    _table("monk2", RARER, "1", SCORED, REPAIR, openml=334, nominal=EVERY),
    # 169 rows in the paper: the original training file, which comes first.
    _table("monk2", "training file", "1", GRANULAR, openml=334, nominal=EVERY, first_rows=169),
    _table("monk3", RARER, "0", SCORED, REPAIR, openml=335, nominal=EVERY),
    _table("kr-vs-kp", RARER, "nowin", SCORED, openml=3),
    _table("tic-tac-toe", RARER, "n", SCORED, REPAIR, openml=50),
    _table("credit-a", RARER, "+", SCORED, REPAIR, openml=29),
    _table(
        "australian",
        RARER,
        "1",
        REPAIR,
        openml=40981,
        nominal=("A1", "A4", "A5", "A6", "A8", "A9", "A11", "A12"),
    ),
    _table("credit-g", RARER, "bad", SCORED, REPAIR, openml=31),
    _table("spambase", RARER, "1", SCORED, openml=44),
    _table("house-votes-84", RARER, "republican", SCORED, REPAIR, openml=56),
    _table(
        "breast-cancer",
        RARER,
        "recurrence-events",
        SCORED,
        REPAIR,
        openml=13,
        nominal=("deg-malig",),
    ),
    _table("breast-w", RARER, "malignant", SCORED, GRANULAR, openml=15),
    _table("colic", RARER, "no", SCORED, openml=27),
    _table(
        "heart-statlog",
        RARER,
        "present",
        SCORED,
        REPAIR,
        openml=53,
        nominal=(
            "sex",
            "chest",
            "fasting_blood_sugar",
            "resting_electrocardiographic_results",
            "exercise_induced_angina",
            "thal",
        ),
    ),
    _table("sick", RARER, "sick", SCORED, openml=38),
    _table("caravan", RARER, "Yes", SCORED, nominal=("MOSTYPE", "MOSHOOFD")),
    _table("hypothyroid", RARER, "hypothyroid", SCORED),
    _table("mushroom", RARER, "p", SCORED, openml=24),
    _table("wpbc", RARER, "R", AUCTRON),
    _table("pima", RARER, "positive", AUCTRON, openml=37),
    _table("spectf", RARER, "0"),
    # The paper's share of positives, 20.4 %, is that of the incorrect test file before 2006.
    _table("spectf-incorrect-test", RARER, "0", AUCTRON),
    _table("ionosphere", RARER, "b", AUCTRON, REPAIR, openml=59),
    _table(
        "heart-cleveland",
        RARER,
        "1",
        AUCTRON,
        nominal=("fasting blood sugar > 120", "exerc ind ang"),
    ),
    _table("heart-hungarian", RARER, ">50_1", AUCTRON, openml=51),
    _table("sonar", RARER, "Rock", GRANULAR, REPAIR, openml=40),
    _table("abalone", "18 against 9", "18", GRANULAR, openml=183, negative=("9",)),
    _table("vehicle", "van", "van", GRANULAR, openml=54),
    # Class 10 of 0 to 10 is "hed".
    _table("vowel", "hed", "10", GRANULAR, nominal=("TT", "SpeakerNumber", "Sex")),
    # Class 4 is "damp grey soil".
    _table("satimage", "damp grey soil", "4", GRANULAR),
    _table("satimage", LARGEST, "1"),
    _table("glass", LARGEST, "2", REPAIR, openml=41),
    _table("car", LARGEST, "unacc", REPAIR, openml=21),
    _table(
        "anneal",
        LARGEST,
        "3",
        REPAIR,
        openml=2,
        nominal=("formability", "enamelability", "bore", "packing"),
    ),
    _table(
        "hepatitis",
        RARER,
        "1",
        REPAIR,
        openml=55,
        nominal=(
            "sex",
            "steroid",
            "antivirals",
            "fatigue",
            "malaise",
            "anorexia",
            "liver_big",
            "liver_firm",
            "spleen_palpable",
            "spiders",
            "ascites",
            "varices",
            "histology",
        ),
    ),
    _table("lymphography", LARGEST, "metastases", REPAIR, openml=10),
    _table("primary-tumor", LARGEST, "lung", REPAIR, openml=171),
    _table("soybean-large", LARGEST, "brown-spot", REPAIR, openml=42),
    _table("solar-flare-1", LARGEST, "0", REPAIR, nominal=EVERY, drop=("M_class", "X_class")),
    _table("solar-flare-2", LARGEST, "0", nominal=EVERY, drop=("M_class", "X_class")),
    _table("hayes-roth", LARGEST, "1", REPAIR, nominal=EVERY),
    # L and R have 288 rows each, and the paper does not say which one is positive.
    _table("balance-scale", LARGEST, "R", REPAIR, openml=11),
    _table("bridges-v1", LARGEST, "SIMPLE-T", REPAIR),
    _table("bridges-v2", LARGEST, "SIMPLE-T", drop=("IDENTIF",)),
    _table(
        "hypothyroid-3772",
        "any hypothyroid",
        ("compensated_hypothyroid", "primary_hypothyroid", "secondary_hypothyroid"),
    ),
    _table("airlines", RARER, "1", openml=1169, nominal=("DayOfWeek",)),
    _table("electricity", RARER, "UP", openml=151, nominal=("day",)),
    _table("covertype", LARGEST, "2", openml=1596, nominal=("Wilderness_Area*", "Soil_Type*")),
    # The classes were cut from gos6.
    _table("asah", RARER, "Poor", drop=("gos6",)),
)

# By name; the first version is the default.
REGISTRY: dict[str, tuple[Definition, ...]] = {}
for _one in DEFINITIONS:
    REGISTRY[_one.name] = (*REGISTRY.get(_one.name, ()), _one)
