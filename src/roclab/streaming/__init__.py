"""Streams: the AUC of a window at every event."""

from roclab.streaming.protocol import StreamingAUC
from roclab.streaming.window import WindowAUC

__all__ = ["StreamingAUC", "WindowAUC"]
