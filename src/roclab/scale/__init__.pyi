from roclab.scale import spark as spark
from roclab.scale.comparison import compare as compare
from roclab.scale.evaluation import evaluate as evaluate
from roclab.scale.evaluation import score_histograms as score_histograms
from roclab.scale.histogram import ScoreHistogram as ScoreHistogram
