"""State of a window of the core, as bytes and pickles."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, ClassVar, Self

from roclab.data.serialization import Serializable


class WindowState(Serializable):
    """Bytes and pickles of a window of the core: the arguments of its constructor, and the rest."""

    _settings_format: ClassVar[struct.Struct]

    if TYPE_CHECKING:  # defined by the core and by subclasses

        def _save(self) -> bytes: ...
        def _load(self, data: bytes) -> None: ...
        def _settings(self) -> tuple[Any, ...]: ...

    @classmethod
    def _from_settings(cls, *settings: Any) -> Self:
        return cls(*settings)

    def _content(self) -> bytes:
        return self._settings_format.pack(*self._settings()) + self._save()

    @classmethod
    def _restored(cls, content: bytes, *_: Any) -> Self:
        start = cls._settings_format.size
        window = cls._from_settings(*cls._settings_format.unpack(content[:start]))
        window._load(content[start:])
        return window

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)
