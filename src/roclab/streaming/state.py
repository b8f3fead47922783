"""Windows that can be written down as bytes and go on elsewhere with the same values."""

from __future__ import annotations

import copy
import struct
from typing import TYPE_CHECKING, Any, ClassVar, Self

from roclab import _core
from roclab.errors import SerializationError
from roclab.streaming.envelope import packed, unpacked

__all__ = ["CopiedWhole", "Stored"]


class CopiedWhole:
    """State of which copies share nothing, or what one takes in would reach a part of the other."""

    def __copy__(self) -> Self:
        return copy.deepcopy(self)


class Stored:
    """Bytes and pickles of a window of the core; whoever inherits says what it was made with."""

    _magic: ClassVar[bytes]
    _version: ClassVar[int]
    # How the numbers that the window was made with are written down.
    _settings_format: ClassVar[struct.Struct]

    if TYPE_CHECKING:  # the core's, and what whoever inherits was made with

        def _save(self) -> bytes: ...
        def _load(self, data: bytes) -> None: ...
        def _settings(self) -> tuple[Any, ...]: ...

    @classmethod
    def _made_with(cls, *settings: Any) -> Self:
        return cls(*settings)

    def to_bytes(self) -> bytes:
        """The exact state in a versioned form: what is restored goes on with the same values."""
        settings = self._settings_format.pack(*self._settings())
        return packed(self._magic, self._version, settings + self._save())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The window that `to_bytes` wrote down.

        Raises
        ------
        SerializationError
            The bytes are damaged, of another version or of something else.
        """
        payload = unpacked(cls._magic, cls._version, data, cls.__name__)
        behind = cls._settings_format.size
        try:
            window = cls._made_with(*cls._settings_format.unpack(payload[:behind]))
            window._load(payload[behind:])
        except (_core.BadBytes, ValueError, OverflowError, struct.error) as error:
            raise SerializationError(
                f"This {cls.__name__} cannot be restored: {str(error).rstrip('.')}."
            ) from None
        return window

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)
