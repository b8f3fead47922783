from roclab.scale.evaluation import evaluate as evaluate
from roclab.scale.histogram import ScoreHistogram as ScoreHistogram
