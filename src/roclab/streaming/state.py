"""Copying and serialization of windows."""

from __future__ import annotations

import copy
import struct
from typing import TYPE_CHECKING, Any, ClassVar, Self

from roclab import _core
from roclab.errors import SerializationError
from roclab.streaming.envelope import packed, unpacked


class DeepCopied:
    """Objects whose copies are deep, since shallow copies would share part of their state."""

    def __copy__(self) -> Self:
        return copy.deepcopy(self)


class Serializable:
    """Bytes and pickles of a window of the core; subclasses define their settings."""

    _magic: ClassVar[bytes]
    _version: ClassVar[int]
    # Format of the arguments of the constructor.
    _settings_format: ClassVar[struct.Struct]

    if TYPE_CHECKING:  # defined by the core and by subclasses

        def _save(self) -> bytes: ...
        def _load(self, data: bytes) -> None: ...
        def _settings(self) -> tuple[Any, ...]: ...

    @classmethod
    def _from_settings(cls, *settings: Any) -> Self:
        return cls(*settings)

    def to_bytes(self) -> bytes:
        """The exact state in a versioned format; a restored window continues with equal values."""
        settings = self._settings_format.pack(*self._settings())
        return packed(self._magic, self._version, settings + self._save())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Restore a window from the result of `to_bytes`.

        Raises
        ------
        SerializationError
            The bytes are damaged, of another version or of another type.
        """
        payload = unpacked(cls._magic, cls._version, data, cls.__name__)
        start = cls._settings_format.size
        try:
            window = cls._from_settings(*cls._settings_format.unpack(payload[:start]))
            window._load(payload[start:])
        except (_core.BadBytes, ValueError, OverflowError, struct.error) as error:
            raise SerializationError(
                found="This {kind} cannot be restored: {reason}",
                fix="Use another copy.",
                kind=cls.__name__,
                reason=str(error).rstrip("."),
            ) from None
        return window

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)
