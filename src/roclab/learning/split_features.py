"""Features as the core takes them: one array of numbers, in which a category is a number too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.preprocessing import OrdinalEncoder

from roclab.errors import InputError
from roclab.formatting import listed
from roclab.vector import is_missing

__all__ = ["CategoryCodes", "categorical_mask"]

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def categorical_mask(chosen: Any, n_features: int, names: Sequence[str] | None) -> Mask:
    """Which features hold categories, from their places, their names or a mask."""
    mask = np.zeros(n_features, bool)
    if chosen is None:
        return mask
    values = np.asarray(chosen)
    if values.ndim != 1:
        raise InputError(
            f"categorical_features is {chosen!r}; a flat sequence is needed, of the places or the "
            "names of features, or one boolean for each."
        )
    if values.size == 0:
        return mask
    if values.dtype.kind == "b":
        if len(values) != n_features:
            raise InputError(
                f"categorical_features holds {len(values)} booleans and X has {n_features} "
                "features; one for each is needed. Or give the places of the categorical ones."
            )
        return values
    if values.dtype.kind in "UOT":
        return _by_name(mask, [str(value) for value in values.tolist()], names)
    if values.dtype.kind not in "iu" or values.min() < -n_features or values.max() >= n_features:
        raise InputError(
            f"categorical_features is {chosen!r}; X has {n_features} features, so that places are "
            f"whole numbers from 0 to {n_features - 1}. Names and a mask of booleans do as well."
        )
    mask[values] = True
    return mask


def _by_name(mask: Mask, chosen: Sequence[str], names: Sequence[str] | None) -> Mask:
    if names is None:
        raise InputError(
            f"categorical_features names features ({listed(chosen)}), but X has no names. Pass a "
            "data frame, or the places of the features."
        )
    unknown = [name for name in chosen if name not in set(names)]
    if unknown:
        raise InputError(
            f"categorical_features names {listed(unknown)}; the features of X are {listed(names)}. "
            "Name some of those."
        )
    mask[[list(names).index(name) for name in chosen]] = True
    return mask


class CategoryCodes:
    """The categories of some features, in ascending order, and their numbers.

    Parameters
    ----------
    mask : ndarray of bool
        Which features hold categories.
    """

    def __init__(self, mask: Mask) -> None:
        self.mask = mask
        self.encoder = OrdinalEncoder(
            dtype=np.float64, handle_unknown="use_encoded_value", unknown_value=-1
        )

    def learn(self, X: npt.NDArray[Any]) -> Floats:
        """Learn the categories of the training rows, and return the rows as numbers."""
        columns = self._categories(X)
        if not self.mask.any():
            return self._numbers(X, columns)
        try:
            self.encoder.fit(columns)
        except TypeError as error:
            raise InputError(
                f"Some categorical feature mixes texts and numbers ({error}). Make all values of "
                "a feature one type, for example with .astype(str)."
            ) from None
        return self._numbers(X, columns)

    def apply(self, X: npt.NDArray[Any]) -> Floats:
        """Rows as numbers: -1 for a category that was not learnt, NaN where there is no value."""
        return self._numbers(X, self._categories(X))

    def name(self, feature: int, code: float) -> Any:
        """The category behind a number."""
        return self.encoder.categories_[int(self.mask[:feature].sum())].tolist()[int(code)]

    def _categories(self, X: npt.NDArray[Any]) -> npt.NDArray[Any]:
        columns = X[:, self.mask]
        if columns.dtype.kind != "O":
            return columns
        # None, pandas.NA and NaN are one and the same to us, not to the encoder.
        plain = [[np.nan if is_missing(value) else value for value in row] for row in columns]
        filled = np.empty(columns.shape, object)
        filled[:] = plain
        return filled

    def _numbers(self, X: npt.NDArray[Any], columns: npt.NDArray[Any]) -> Floats:
        numbers = np.empty(X.shape)
        if self.mask.any():
            numbers[:, self.mask] = self.encoder.transform(columns)
        for feature in np.flatnonzero(~self.mask):
            numbers[:, feature] = _as_numbers(X[:, feature], int(feature))
        return numbers


def _as_numbers(column: npt.NDArray[Any], feature: int) -> Floats:
    if column.dtype.kind == "O":
        column = np.array([np.nan if is_missing(value) else value for value in column], object)
    try:
        if column.dtype.kind in "OSU" and any(isinstance(v, str | bytes) for v in column.tolist()):
            raise TypeError("text")  # NumPy would make numbers of those that look like them
        numbers = column.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"Feature {feature} holds something else than numbers ({error}). Name it in "
            "categorical_features, or convert it."
        ) from None
    if np.isinf(numbers).any():
        raise InputError(
            f"Feature {feature} holds infinity in row {int(np.argmax(np.isinf(numbers)))}; numbers "
            "must be finite, or NaN where there is none. Replace it by either."
        )
    return numbers
