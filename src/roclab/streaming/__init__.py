"""Streams: the AUC of a window after every event, changes of it, and labels that come late."""

from roclab.streaming.drift.alarm import Alarm
from roclab.streaming.drift.cusum import BlockCUSUM
from roclab.streaming.drift.sequential_test import BlockDriftTest
from roclab.streaming.labels import JoinCounts, LabelledScore, PendingLabels
from roclab.streaming.river import RiverAUC
from roclab.streaming.segments import SegmentedWindow, SegmentInterval
from roclab.streaming.windows.approximate import ApproximateWindowAUC
from roclab.streaming.windows.bounds import AUCBounds
from roclab.streaming.windows.compressed import CompressedRanking, compressed_ranking
from roclab.streaming.windows.cumulative import CumulativeAUC
from roclab.streaming.windows.decayed import DecayedAUC
from roclab.streaming.windows.protocol import StreamingAUC
from roclab.streaming.windows.sliding import WindowAUC
from roclab.streaming.windows.time import TimeWindowAUC

__all__ = [
    "AUCBounds",
    "Alarm",
    "ApproximateWindowAUC",
    "BlockCUSUM",
    "BlockDriftTest",
    "CompressedRanking",
    "CumulativeAUC",
    "DecayedAUC",
    "JoinCounts",
    "LabelledScore",
    "PendingLabels",
    "RiverAUC",
    "SegmentInterval",
    "SegmentedWindow",
    "StreamingAUC",
    "TimeWindowAUC",
    "WindowAUC",
    "compressed_ranking",
]
