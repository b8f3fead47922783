"""The data sets known by name, and the choice of their two classes.

Of two classes the rarer one is positive, as in Castro and Braga; the other papers do not say. Of
more classes a paper may name the positive one. Otherwise the most frequent class is positive and
all others are negative.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

SCORED = "Wu, Flach and Ferri 2007"
AUCTRON = "Castro and Braga 2008"
GRANULAR = "Dong and others 2013"
REPAIR = "Flach and Wu 2005"

Words = tuple[str, ...]
RARER, LARGEST = "rarer class", "largest class"


@dataclass(frozen=True)
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
    papers : tuple of str
        Papers that use this table.
    negative : tuple of str
        The negative classes. Empty: all others. Rows of other classes are excluded.
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
    positive: Words
    papers: Words = ()
    _: KW_ONLY
    negative: Words = ()
    nominal: Words = ()
    drop: Words = ()
    first_rows: int | None = None
    openml: int | None = None


EVERY = ("*",)
HEART_NOMINAL = (
    *("sex", "chest", "fasting_blood_sugar", "resting_electrocardiographic_results"),
    *("exercise_induced_angina", "thal"),
)
HEPATITIS_NOMINAL = (
    *("sex", "steroid", "antivirals", "fatigue", "malaise", "anorexia", "liver_big", "liver_firm"),
    *("spleen_palpable", "spiders", "ascites", "varices", "histology"),
)
DEFINITIONS = (
    # Both have 278 rows, and no paper says which one is positive.
    Definition("monk1", RARER, ("0",), (SCORED, REPAIR), openml=333, nominal=EVERY),
    Definition("monk2", RARER, ("1",), (SCORED, REPAIR), openml=334, nominal=EVERY),
    # 169 rows in the paper: the original training file, which comes first.
    Definition(
        "monk2", "training file", ("1",), (GRANULAR,), openml=334, nominal=EVERY, first_rows=169
    ),
    Definition("monk3", RARER, ("0",), (SCORED, REPAIR), openml=335, nominal=EVERY),
    Definition("kr-vs-kp", RARER, ("nowin",), (SCORED,), openml=3),
    Definition("tic-tac-toe", RARER, ("n",), (SCORED, REPAIR), openml=50),
    Definition("credit-a", RARER, ("+",), (SCORED, REPAIR), openml=29),
    Definition(
        "australian",
        RARER,
        ("1",),
        (REPAIR,),
        openml=40981,
        nominal=("A1", "A4", "A5", "A6", "A8", "A9", "A11", "A12"),
    ),
    Definition("credit-g", RARER, ("bad",), (SCORED, REPAIR), openml=31),
    Definition("spambase", RARER, ("1",), (SCORED,), openml=44),
    Definition("house-votes-84", RARER, ("republican",), (SCORED, REPAIR), openml=56),
    Definition(
        "breast-cancer",
        RARER,
        ("recurrence-events",),
        (SCORED, REPAIR),
        openml=13,
        nominal=("deg-malig",),
    ),
    Definition("breast-w", RARER, ("malignant",), (SCORED, GRANULAR), openml=15),
    Definition("colic", RARER, ("no",), (SCORED,), openml=27),
    Definition(
        "heart-statlog", RARER, ("present",), (SCORED, REPAIR), openml=53, nominal=HEART_NOMINAL
    ),
    Definition("sick", RARER, ("sick",), (SCORED,), openml=38),
    Definition("caravan", RARER, ("Yes",), (SCORED,), nominal=("MOSTYPE", "MOSHOOFD")),
    Definition("hypothyroid", RARER, ("hypothyroid",), (SCORED,)),
    Definition("mushroom", RARER, ("p",), (SCORED,), openml=24),
    Definition("wpbc", RARER, ("R",), (AUCTRON,)),
    Definition("pima", RARER, ("positive",), (AUCTRON,), openml=37),
    Definition("spectf", RARER, ("0",)),
    # The paper's share of positives, 20.4 %, is that of the incorrect test file before 2006.
    Definition("spectf-incorrect-test", RARER, ("0",), (AUCTRON,)),
    Definition("ionosphere", RARER, ("b",), (AUCTRON, REPAIR), openml=59),
    Definition(
        "heart-cleveland",
        RARER,
        ("1",),
        (AUCTRON,),
        nominal=("fasting blood sugar > 120", "exerc ind ang"),
    ),
    Definition("heart-hungarian", RARER, (">50_1",), (AUCTRON,), openml=51),
    Definition("sonar", RARER, ("Rock",), (GRANULAR, REPAIR), openml=40),
    Definition("abalone", "18 against 9", ("18",), (GRANULAR,), openml=183, negative=("9",)),
    Definition("vehicle", "van", ("van",), (GRANULAR,), openml=54),
    # Class 10 of 0 to 10 is "hed".
    Definition("vowel", "hed", ("10",), (GRANULAR,), nominal=("TT", "SpeakerNumber", "Sex")),
    # Class 4 is "damp grey soil".
    Definition("satimage", "damp grey soil", ("4",), (GRANULAR,)),
    Definition("satimage", LARGEST, ("1",)),
    Definition("glass", LARGEST, ("2",), (REPAIR,), openml=41),
    Definition("car", LARGEST, ("unacc",), (REPAIR,), openml=21),
    Definition(
        "anneal",
        LARGEST,
        ("3",),
        (REPAIR,),
        openml=2,
        nominal=("formability", "enamelability", "bore", "packing"),
    ),
    Definition("hepatitis", RARER, ("1",), (REPAIR,), openml=55, nominal=HEPATITIS_NOMINAL),
    Definition("lymphography", LARGEST, ("metastases",), (REPAIR,), openml=10),
    Definition("primary-tumor", LARGEST, ("lung",), (REPAIR,), openml=171),
    Definition("soybean-large", LARGEST, ("brown-spot",), (REPAIR,), openml=42),
    Definition(
        "solar-flare-1", LARGEST, ("0",), (REPAIR,), nominal=EVERY, drop=("M_class", "X_class")
    ),
    Definition("solar-flare-2", LARGEST, ("0",), nominal=EVERY, drop=("M_class", "X_class")),
    Definition("hayes-roth", LARGEST, ("1",), (REPAIR,), nominal=EVERY),
    # L and R have 288 rows each, and the paper does not say which one is positive.
    Definition("balance-scale", LARGEST, ("R",), (REPAIR,), openml=11),
    Definition("bridges-v1", LARGEST, ("SIMPLE-T",), (REPAIR,)),
    Definition("bridges-v2", LARGEST, ("SIMPLE-T",), drop=("IDENTIF",)),
    Definition(
        "hypothyroid-3772",
        "any hypothyroid",
        ("compensated_hypothyroid", "primary_hypothyroid", "secondary_hypothyroid"),
    ),
    Definition("airlines", RARER, ("1",), openml=1169, nominal=("DayOfWeek",)),
    Definition("electricity", RARER, ("UP",), openml=151, nominal=("day",)),
    Definition(
        "covertype", LARGEST, ("2",), openml=1596, nominal=("Wilderness_Area*", "Soil_Type*")
    ),
    # The classes were cut from gos6.
    Definition("asah", RARER, ("Poor",), drop=("gos6",)),
)

# By name; the first version is the default.
REGISTRY: dict[str, tuple[Definition, ...]] = {}
for _one in DEFINITIONS:
    REGISTRY[_one.name] = (*REGISTRY.get(_one.name, ()), _one)
