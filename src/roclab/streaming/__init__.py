"""Streams: AUC over windows, changes of it, and labels that come late."""

from roclab.streaming.alarm import Alarm
from roclab.streaming.cusum import BlockCUSUM
from roclab.streaming.deque_window import WindowAUC  # STAND-IN: from roclab.streaming.window
from roclab.streaming.drift import BlockDriftTest
from roclab.streaming.protocol import StreamingAUC

__all__ = ["Alarm", "BlockCUSUM", "BlockDriftTest", "StreamingAUC", "WindowAUC"]
