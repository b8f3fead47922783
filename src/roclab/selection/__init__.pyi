from roclab.selection.model_selection import ModelSelection as ModelSelection
from roclab.selection.model_selection import ModelStanding as ModelStanding
from roclab.selection.scorer import MeasureScorer as MeasureScorer
from roclab.selection.scorer_registry import ScorerRegistry as ScorerRegistry
from roclab.selection.scorer_registry import scorers as scorers
from roclab.selection.select import select_model as select_model
from roclab.selection.simplest_contender import SimplestContender as SimplestContender
