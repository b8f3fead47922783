"""Streams: the AUC of a window at every event, changes of it, and labels that come late."""

from roclab.streaming.alarm import Alarm
from roclab.streaming.cusum import BlockCUSUM
from roclab.streaming.deque_window import WindowAUC  # STAND-IN: from roclab.streaming.window
from roclab.streaming.drift import BlockDriftTest
from roclab.streaming.pending import JoinCounts, LabelledScore, PendingLabels
from roclab.streaming.protocol import StreamingAUC
from roclab.streaming.river_metric import RiverAUC
from roclab.streaming.segmented import SegmentedWindow, SegmentInterval

__all__ = [
    "Alarm",
    "BlockCUSUM",
    "BlockDriftTest",
    "JoinCounts",
    "LabelledScore",
    "PendingLabels",
    "RiverAUC",
    "SegmentInterval",
    "SegmentedWindow",
    "StreamingAUC",
    "WindowAUC",
]
