from roclab.inference.bands.average_roc import AverageROC as AverageROC
from roclab.inference.bands.average_roc import average_roc as average_roc
from roclab.inference.bands.binormal import BinormalFit as BinormalFit
from roclab.inference.bands.binormal import binormal_fit as binormal_fit
from roclab.inference.bands.roc_band import ROCBand as ROCBand
from roclab.inference.bands.roc_band import roc_band as roc_band
from roclab.inference.change import AUCChange as AUCChange
from roclab.inference.change import SegmentChange as SegmentChange
from roclab.inference.change import auc_change as auc_change
from roclab.inference.comparison.any_measure import compare_measure as compare_measure
from roclab.inference.comparison.covariance import AUCCovariance as AUCCovariance
from roclab.inference.comparison.covariance import auc_covariance as auc_covariance
from roclab.inference.comparison.equal_curves import ROCComparison as ROCComparison
from roclab.inference.comparison.equal_curves import (
    compare_independent_roc as compare_independent_roc,
)
from roclab.inference.comparison.equal_curves import compare_roc as compare_roc
from roclab.inference.comparison.homogeneity import Homogeneity as Homogeneity
from roclab.inference.comparison.homogeneity import RateHomogeneity as RateHomogeneity
from roclab.inference.comparison.hypothesis import AUCComparison as AUCComparison
from roclab.inference.comparison.hypothesis import MeasureComparison as MeasureComparison
from roclab.inference.comparison.paired import compare_auc as compare_auc
from roclab.inference.comparison.pairwise import compare as compare
from roclab.inference.comparison.results import Comparison as Comparison
from roclab.inference.comparison.results import GroupedComparison as GroupedComparison
from roclab.inference.comparison.results import Interaction as Interaction
from roclab.inference.comparison.results import ModelPair as ModelPair
from roclab.inference.comparison.results import ModelValue as ModelValue
from roclab.inference.comparison.results import Omnibus as Omnibus
from roclab.inference.comparison.unpaired import compare_independent_auc as compare_independent_auc
from roclab.inference.comparison.unpaired import compare_to_value as compare_to_value
from roclab.inference.evaluation import Evaluation as Evaluation
from roclab.inference.evaluation import EvaluationRow as EvaluationRow
from roclab.inference.evaluation import evaluate as evaluate
from roclab.inference.folds.cross_validation import CrossValidatedAUC as CrossValidatedAUC
from roclab.inference.folds.cross_validation import FoldAUC as FoldAUC
from roclab.inference.folds.cross_validation import cross_validated_auc as cross_validated_auc
from roclab.inference.folds.fold_scores import FoldScores as FoldScores
from roclab.inference.folds.fold_scores import fold_scores as fold_scores
from roclab.inference.intervals.any_measure import interval as interval
from roclab.inference.intervals.auc import auc_interval as auc_interval
from roclab.inference.intervals.interval import Interval as Interval
from roclab.inference.intervals.multiclass import ClassInterval as ClassInterval
from roclab.inference.intervals.multiclass import MulticlassInterval as MulticlassInterval
from roclab.inference.intervals.multiclass import multiclass_auc_interval as multiclass_auc_interval
from roclab.inference.intervals.operating_point import (
    OperatingPointInterval as OperatingPointInterval,
)
from roclab.inference.intervals.operating_point import (
    OperatingPointIntervals as OperatingPointIntervals,
)
from roclab.inference.intervals.operating_point import (
    operating_point_interval as operating_point_interval,
)
from roclab.inference.intervals.rate_at import sensitivity_at as sensitivity_at
from roclab.inference.intervals.rate_at import specificity_at as specificity_at
from roclab.inference.intervals.scored_auc import scored_auc_interval as scored_auc_interval
from roclab.inference.intervals.stratified import StratifiedInterval as StratifiedInterval
from roclab.inference.intervals.stratified import stratified_auc_interval as stratified_auc_interval
from roclab.inference.label_free import ExpectedAUC as ExpectedAUC
from roclab.inference.label_free import expected_auc as expected_auc
from roclab.inference.missing_labels import MissingLabelBounds as MissingLabelBounds
from roclab.inference.missing_labels import auc_bounds as auc_bounds
from roclab.inference.planning.plan import AUCPlan as AUCPlan
from roclab.inference.planning.simulate import PowerSimulation as PowerSimulation
from roclab.inference.planning.study import auc_power as auc_power
from roclab.inference.planning.study import auc_sample_size as auc_sample_size
from roclab.inference.planning.study import plan_auc_study as plan_auc_study
