"""Features for the core: one array of numbers, with categories encoded as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.preprocessing import OrdinalEncoder

from roclab.checks.options import shown
from roclab.checks.vectors import is_missing
from roclab.errors import InputError
from roclab.formatting import listed

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


_TEXT_TYPES = ("cat", "dictionary", "enum", "large_string", "str")  # how their names begin


def frame_categories(X: Any) -> Mask | None:
    """Which columns of a data frame hold text or categories; None if X is no data frame.

    A pandas column of objects holds text if one of its values is text.
    """
    if not (hasattr(X, "columns") and hasattr(X, "dtypes")):
        return None
    kinds = [str(dtype).lower() for dtype in X.dtypes]
    return np.array(
        [
            _holds_text(np.asarray(X.iloc[:, at] if hasattr(X, "iloc") else X[:, at]))
            if kind == "object"
            else kind.startswith(_TEXT_TYPES)
            for at, kind in enumerate(kinds)
        ],
        bool,
    )


def plain_frame(X: Any) -> Any:
    """A data frame of pandas with plain values: scikit-learn makes numbers of its own types."""
    return X.astype(object) if hasattr(X, "iloc") and hasattr(X, "columns") else X


def refuse_text(X: Any) -> None:
    """Raise an error for text that nobody has called categories."""
    values = X if isinstance(X, np.ndarray) or hasattr(X, "columns") else None
    if isinstance(X, list | tuple):
        try:
            values = np.asarray(X, object)  # with other types NumPy would make numbers text
        except ValueError:
            return  # rows of different lengths, which scikit-learn refuses
    mask = frame_categories(values)
    if mask is None:
        if values is None or values.ndim != 2 or values.dtype.kind not in "OSUT":
            return
        mask = np.array([_holds_text(column) for column in values.T], bool)
    if mask.any():
        raise InputError(
            found="Features {features} of X are text or categories",
            needed="they are taken from data frames, or have to be named",
            fix="Pass {categorical_features=}{features}, or {categorical_features=None} with a "
            "data frame.",
            features=np.flatnonzero(mask).tolist(),
        )


def _holds_text(column: npt.NDArray[Any]) -> bool:
    return any(isinstance(value, str | bytes) for value in column.tolist())


def categorical_mask(chosen: Any, n_features: int, names: Sequence[str] | None) -> Mask:
    """Return the mask of categorical features, given by index, by name or as a mask."""
    mask = np.zeros(n_features, bool)
    if chosen is None:
        return mask
    values = np.asarray(chosen)
    if values.ndim != 1:
        raise InputError(
            found="{categorical_features=}{value} is not a sequence",
            needed="a flat sequence of indices or names of features, or of one boolean for each, "
            "is needed",
            value=shown(chosen),
        )
    if values.size == 0:
        return mask
    if values.dtype.kind == "b":
        if len(values) != n_features:
            raise InputError(
                found="{categorical_features} holds {booleans} booleans and X has {n_features} "
                "features",
                needed="one for each is needed",
                fix="Pass a full mask, or the indices of the categorical features.",
                booleans=len(values),
                n_features=n_features,
            )
        return values
    if values.dtype.kind in "UOT":
        return _by_name(mask, [str(value) for value in values.tolist()], names)
    if values.dtype.kind not in "iu" or values.min() < -n_features or values.max() >= n_features:
        raise InputError(
            found="{categorical_features=}{value} does not fit the {n_features} features of X",
            needed="indices are integers from 0 to {last}",
            fix="Pass indices, names or a mask of booleans.",
            value=shown(chosen),
            n_features=n_features,
            last=n_features - 1,
        )
    mask[values] = True
    return mask


def _by_name(mask: Mask, chosen: Sequence[str], names: Sequence[str] | None) -> Mask:
    if names is None:
        raise InputError(
            found="{categorical_features} names features ({names}), but X has no column names",
            fix="Pass a data frame, or the indices of the features.",
            names=listed(chosen),
        )
    unknown = [name for name in chosen if name not in set(names)]
    if unknown:
        raise InputError(
            found="{categorical_features} names {unknown}",
            needed="the features of X are {names}",
            fix="Choose among these.",
            unknown=listed(unknown),
            names=listed(names),
        )
    mask[[list(names).index(name) for name in chosen]] = True
    return mask


class CategoryCodes:
    """Ordinal encoding of categorical features, categories in ascending order.

    Parameters
    ----------
    mask : ndarray of bool
        Which features are categorical.
    """

    def __init__(self, mask: Mask) -> None:
        self.mask = mask
        self.encoder = OrdinalEncoder(
            dtype=np.float64, handle_unknown="use_encoded_value", unknown_value=-1
        )

    def learn(self, X: npt.NDArray[Any]) -> Floats:
        """Learn the categories of the training rows, and return the encoded rows."""
        columns = self._categories(X)
        if not self.mask.any():
            return self._numbers(X, columns)
        try:
            self.encoder.fit(columns)
        except TypeError as error:
            raise InputError(
                found="A categorical feature mixes strings and numbers ({error})",
                fix="Convert all values of a feature to one type, for example with .astype(str).",
                error=error,
            ) from None
        return self._numbers(X, columns)

    def apply(self, X: npt.NDArray[Any]) -> Floats:
        """Return the encoded rows: -1 for an unknown category, NaN for a missing value."""
        return self._numbers(X, self._categories(X))

    def name(self, feature: int, code: float) -> Any:
        """Return the category that a code stands for."""
        return self.encoder.categories_[int(self.mask[:feature].sum())].tolist()[int(code)]

    def _categories(self, X: npt.NDArray[Any]) -> npt.NDArray[Any]:
        columns = X[:, self.mask]
        if columns.dtype.kind != "O":
            return columns
        # None, pandas.NA and NaN are the same here, but not for the encoder.
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
        if column.dtype.kind in "OSU" and _holds_text(column):
            raise TypeError("strings")  # NumPy would convert strings that look like numbers
        numbers = column.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            found="Feature {feature} holds values that are not numbers ({error})",
            fix="Add it to {categorical_features}, or convert it.",
            feature=feature,
            error=error,
        ) from None
    if np.isinf(numbers).any():
        raise InputError(
            found="Feature {feature} holds infinity in row {row}",
            needed="numbers must be finite, or NaN if missing",
            fix="Replace it by either.",
            feature=feature,
            row=int(np.argmax(np.isinf(numbers))),
        )
    return numbers
