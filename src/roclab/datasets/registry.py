"""The data sets that are known by name, and how each gets two classes.

Of two classes the rarer one is positive, as Castro and Braga have it; the other papers do not say.
Of more classes a paper may name the positive one. Where it does not, the most frequent class is
positive and all others are negative.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["REGISTRY", "Definition"]

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
        What tells this table from others made of the same file.
    positive : tuple of str
        The classes that are positive, as the file spells them.
    negative : tuple of str
        Those that are negative. Empty: all others. Rows of a class that is neither are left out.
    papers : tuple of str
        Who uses this table.
    nominal : tuple of str
        Columns that are nominal though written as numbers; one may stand for all with the same
        beginning: ``Soil_Type*``.
    drop : tuple of str
        Columns that are no features: identifiers, and other things to predict.
    first_rows : int or None
        The table is only the first rows of the file.
    """

    name: str
    version: str
    positive: tuple[str, ...]
    negative: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    first_rows: int | None = None


def _definitions() -> tuple[Definition, ...]:
    def rarer(
        name: str, positive: str, *papers: str, nominal: Words = (), drop: Words = ()
    ) -> Definition:
        return Definition(
            name=name,
            version=RARER,
            positive=(positive,),
            papers=papers,
            nominal=nominal,
            drop=drop,
        )

    def largest(
        name: str, positive: str, *papers: str, nominal: Words = (), drop: Words = ()
    ) -> Definition:
        return replace(rarer(name, positive, *papers, nominal=nominal, drop=drop), version=LARGEST)

    monk = ("a", "b", "c", "d", "e", "f")
    flare = (
        "activity",
        "evolution",
        "previous24",
        "hist_complex",
        "comp_on_this_",
        "area",
        "area_of_largest",
    )
    return (
        # Both have 278 rows, and no paper says which one is positive.
        rarer("monk1", "0", SCORED, REPAIR, nominal=monk),
        rarer("monk2", "1", SCORED, REPAIR, nominal=monk),
        # 169 rows in the paper: the original training file, which comes first.
        Definition(
            name="monk2",
            version="training file",
            positive=("1",),
            papers=(GRANULAR,),
            nominal=monk,
            first_rows=169,
        ),
        rarer("monk3", "0", SCORED, REPAIR, nominal=monk),
        rarer("kr-vs-kp", "nowin", SCORED),
        rarer("tic-tac-toe", "n", SCORED, REPAIR),
        rarer("credit-a", "+", SCORED, REPAIR),
        rarer(
            "australian",
            "1",
            REPAIR,
            nominal=("A1", "A4", "A5", "A6", "A8", "A9", "A11", "A12"),
        ),
        rarer("credit-g", "bad", SCORED, REPAIR),
        rarer("spambase", "1", SCORED),
        rarer("house-votes-84", "republican", SCORED, REPAIR),
        rarer("breast-cancer", "recurrence-events", SCORED, REPAIR, nominal=("deg-malig",)),
        rarer("breast-w", "malignant", SCORED, GRANULAR),
        rarer("colic", "no", SCORED),
        rarer(
            "heart-statlog",
            "present",
            SCORED,
            REPAIR,
            nominal=(
                "sex",
                "chest",
                "fasting_blood_sugar",
                "resting_electrocardiographic_results",
                "exercise_induced_angina",
                "thal",
            ),
        ),
        rarer("sick", "sick", SCORED),
        rarer("caravan", "Yes", SCORED, nominal=("MOSTYPE", "MOSHOOFD")),
        rarer("hypothyroid", "hypothyroid", SCORED),
        rarer("mushroom", "p", SCORED),
        rarer("wpbc", "R", AUCTRON),
        rarer("pima", "positive", AUCTRON),
        rarer("spectf", "0"),
        # The paper's share of positives, 20.4 %, is that of the faulty test file of before 2006.
        rarer("spectf-incorrect-test", "0", AUCTRON),
        rarer("ionosphere", "b", AUCTRON, REPAIR),
        rarer(
            "heart-cleveland",
            "1",
            AUCTRON,
            nominal=("fasting blood sugar > 120", "exerc ind ang"),
        ),
        rarer("heart-hungarian", ">50_1", AUCTRON),
        rarer("sonar", "Rock", GRANULAR, REPAIR),
        Definition(
            name="abalone",
            version="18 against 9",
            positive=("18",),
            negative=("9",),
            papers=(GRANULAR,),
        ),
        Definition(name="vehicle", version="van", positive=("van",), papers=(GRANULAR,)),
        # Class 10 of 0 to 10 is "hed".
        Definition(
            name="vowel",
            version="hed",
            positive=("10",),
            papers=(GRANULAR,),
            nominal=("TT", "SpeakerNumber", "Sex"),
        ),
        # Class 4 is "damp grey soil".
        Definition(name="satimage", version="damp grey soil", positive=("4",), papers=(GRANULAR,)),
        largest("satimage", "1"),
        largest("glass", "2", REPAIR),
        largest("car", "unacc", REPAIR),
        largest(
            "anneal",
            "3",
            REPAIR,
            nominal=("formability", "enamelability", "bore", "packing"),
        ),
        rarer(
            "hepatitis",
            "1",
            REPAIR,
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
        largest("lymphography", "metastases", REPAIR),
        largest("primary-tumor", "lung", REPAIR),
        largest("soybean-large", "brown-spot", REPAIR),
        largest("solar-flare-1", "0", REPAIR, nominal=flare, drop=("M_class", "X_class")),
        largest("solar-flare-2", "0", nominal=flare, drop=("M_class", "X_class")),
        largest(
            "hayes-roth",
            "1",
            REPAIR,
            nominal=("Hobby", "Age", "EducationalLevel", "MaritalStatus"),
        ),
        # L and R have 288 rows each, and the paper does not say which one is positive.
        largest("balance-scale", "R", REPAIR),
        largest("bridges-v1", "SIMPLE-T", REPAIR),
        largest("bridges-v2", "SIMPLE-T", drop=("IDENTIF",)),
        Definition(
            name="hypothyroid-3772",
            version="any hypothyroid",
            positive=("compensated_hypothyroid", "primary_hypothyroid", "secondary_hypothyroid"),
        ),
        rarer("airlines", "1", nominal=("DayOfWeek",)),
        rarer("electricity", "UP", nominal=("day",)),
        largest("covertype", "2", nominal=("Wilderness_Area*", "Soil_Type*")),
        # The classes were cut from gos6.
        rarer("asah", "Poor", drop=("gos6",)),
    )


# By name; the first version is the one meant if none is asked for.
REGISTRY: dict[str, tuple[Definition, ...]] = {}
for _one in _definitions():
    REGISTRY[_one.name] = (*REGISTRY.get(_one.name, ()), _one)
