"""Streams: the AUC of a window after every event, changes of it, and labels that come late."""

from roclab.streaming.alarm import Alarm
from roclab.streaming.approximate import ApproximateWindowAUC
from roclab.streaming.bounds import AUCBounds
from roclab.streaming.compressed import CompressedRanking, compressed_ranking
from roclab.streaming.cumulative import CumulativeAUC
from roclab.streaming.cusum import BlockCUSUM
from roclab.streaming.decayed import DecayedAUC
from roclab.streaming.drift import BlockDriftTest
from roclab.streaming.pending import JoinCounts, LabelledScore, PendingLabels
from roclab.streaming.protocol import StreamingAUC
from roclab.streaming.river_metric import RiverAUC
from roclab.streaming.segmented import SegmentedWindow, SegmentInterval
from roclab.streaming.time_window import TimeWindowAUC
from roclab.streaming.window import WindowAUC

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
