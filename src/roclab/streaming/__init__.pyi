from roclab.streaming.drift.alarm import Alarm as Alarm
from roclab.streaming.drift.cusum import BlockCUSUM as BlockCUSUM
from roclab.streaming.drift.e_detector import BlockEDetector as BlockEDetector
from roclab.streaming.drift.reference import DriftReference as DriftReference
from roclab.streaming.drift.settings import DetectorSettings as DetectorSettings
from roclab.streaming.labels import JoinCounts as JoinCounts
from roclab.streaming.labels import LabelledScore as LabelledScore
from roclab.streaming.labels import PendingLabels as PendingLabels
from roclab.streaming.river import RiverAUC as RiverAUC
from roclab.streaming.segments import SegmentedWindow as SegmentedWindow
from roclab.streaming.segments import SegmentInterval as SegmentInterval
from roclab.streaming.sequences.confidence_sequence import (
    BlockConfidenceSequence as BlockConfidenceSequence,
)
from roclab.streaming.sequences.confidence_sequence import BlockMeanInterval as BlockMeanInterval
from roclab.streaming.sequences.sequential_comparison import (
    SequentialComparison as SequentialComparison,
)
from roclab.streaming.sequences.sequential_comparison import (
    SequentialDifference as SequentialDifference,
)
from roclab.streaming.watcher import StreamStep as StreamStep
from roclab.streaming.watcher import StreamWatcher as StreamWatcher
from roclab.streaming.windows.approximate import ApproximateWindowAUC as ApproximateWindowAUC
from roclab.streaming.windows.compressed import CompressedRanking as CompressedRanking
from roclab.streaming.windows.compressed import compressed_ranking as compressed_ranking
from roclab.streaming.windows.cumulative import CumulativeAUC as CumulativeAUC
from roclab.streaming.windows.decayed import DecayedAUC as DecayedAUC
from roclab.streaming.windows.protocol import StreamingAUC as StreamingAUC
from roclab.streaming.windows.sliding import WindowAUC as WindowAUC
from roclab.streaming.windows.timed import TimeWindowAUC as TimeWindowAUC
