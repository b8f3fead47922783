"""The list of data sets."""

from __future__ import annotations

from dataclasses import dataclass

from roclab_studies.datasets.known import KNOWN
from roclab_studies.datasets.registry import REGISTRY, Definition


@dataclass(frozen=True, kw_only=True)
class KnownDataset:
    """A data set that `load` knows.

    Attributes
    ----------
    name, version : str
        Arguments of `load`.
    rows, features : int
        The size of its table.
    positives : int
        Number of rows of the positive class.
    positive : str
        The class or classes that are positive.
    papers : tuple of str
        Papers that use it.
    openml : int or None
        Its number at OpenML.
    """

    name: str
    version: str
    rows: int
    features: int
    positives: int
    positive: str
    papers: tuple[str, ...]
    openml: int | None

    @property
    def share(self) -> float:
        """The share of positive rows."""
        return self.positives / self.rows


def list_datasets() -> tuple[KnownDataset, ...]:
    """The data sets that `load` knows, by name; the first version of each is the default.

    Examples
    --------
    >>> for one in list_datasets():
    ...     if one.name == "monk2":
    ...         print(one.version, one.rows, round(one.share, 3), one.papers)
    rarer class 601 0.343 ('Wu, Flach and Ferri 2007', 'Flach and Wu 2005')
    training file 169 0.379 ('Dong and others 2013',)
    """
    return tuple(_described(one) for name in sorted(REGISTRY) for one in REGISTRY[name])


def _described(definition: Definition) -> KnownDataset:
    known = KNOWN[definition.name, definition.version]
    return KnownDataset(
        name=definition.name,
        version=definition.version,
        rows=known.rows,
        features=known.features,
        positives=known.positives,
        positive=", ".join(definition.positive),
        papers=definition.papers,
        openml=definition.openml,
    )
