"""Streams: the AUC of a window after every event."""

from roclab.streaming.approximate import ApproximateWindowAUC
from roclab.streaming.bounds import AUCBounds
from roclab.streaming.compressed import CompressedRanking, compressed_ranking
from roclab.streaming.protocol import StreamingAUC
from roclab.streaming.window import WindowAUC

__all__ = [
    "AUCBounds",
    "ApproximateWindowAUC",
    "CompressedRanking",
    "StreamingAUC",
    "WindowAUC",
    "compressed_ranking",
]
