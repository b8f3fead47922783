"""Streams: the AUC of a window after every event."""

from roclab.streaming.approximate import ApproximateWindowAUC
from roclab.streaming.bounds import AUCBounds
from roclab.streaming.compressed import CompressedRanking, compressed_ranking
from roclab.streaming.cumulative import CumulativeAUC
from roclab.streaming.decayed import DecayedAUC
from roclab.streaming.protocol import StreamingAUC
from roclab.streaming.time_window import TimeWindowAUC
from roclab.streaming.window import WindowAUC

__all__ = [
    "AUCBounds",
    "ApproximateWindowAUC",
    "CompressedRanking",
    "CumulativeAUC",
    "DecayedAUC",
    "StreamingAUC",
    "TimeWindowAUC",
    "WindowAUC",
    "compressed_ranking",
]
