from roclab.data.bounds import AUCBounds as AUCBounds
from roclab.data.ranking import Ranking as Ranking
from roclab.data.summary import RangeSummary as RangeSummary
from roclab.data.table import MissingValues as MissingValues
from roclab.data.table import ScoreTable as ScoreTable
from roclab.data.table import UnlabelledRows as UnlabelledRows
