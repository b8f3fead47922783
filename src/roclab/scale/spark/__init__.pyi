from roclab.scale.spark.windows import window_auc as window_auc
