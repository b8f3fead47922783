"""Streams: AUC after every event."""

from roclab.streaming.approximate import ApproximateWindowAUC
from roclab.streaming.bounds import AUCBounds
from roclab.streaming.compressed import CompressedRanking, compressed_ranking

__all__ = ["AUCBounds", "ApproximateWindowAUC", "CompressedRanking", "compressed_ranking"]
