"""Evaluates and compares files on Spark Connect and prints JSON; in a process of its own.

A process has classic sessions or those of Connect, not both.
"""

import json
import sys
import warnings

from pyspark.sql import SparkSession
from pyspark.sql.functions import col

import roclab as rl
from roclab.scale.spark.table import SparkTable

MODELS = ["tied", "smooth", "whole"]


def main(pattern):
    warnings.simplefilter("ignore")
    builder = SparkSession.builder.remote("local[2]")
    for name, value in {
        "spark.driver.memory": "700m",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "3",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        frame = session.read.parquet(pattern)
        assert type(frame).__module__.startswith("pyspark.sql.connect")
        found = {"rare class": rl.scale.evaluate(frame, y_true="y", y_score=["tied", "smooth"])}
        found["groups"] = rl.scale.evaluate(frame, y_true="y", y_score=["whole"], by="g")
        timed = frame.withColumn("at", (col("whole") * 40_000 + 1_740_000_000).cast("timestamp"))
        names = {"y_true": "y", "y_score": "tied", "time": "at", "model": "m", "by": "g"}
        summaries = rl.scale.cohort_summaries(timed, **names)
        compared = rl.scale.compare(frame, y_true="y", y_score=MODELS)
        SparkTable.broadcast_bytes = 0
        found["ranges"] = rl.scale.evaluate(frame, y_true="y", y_score=["tied", "smooth"])
        results = {name: [row.to_dict() for row in one.rows] for name, one in found.items()}
        results["summaries"] = [row.to_dict() for row in summaries.rows]
        results["compared"] = compared.to_dict()
        try:
            rl.scale.evaluate(frame, y_true="g", y_score="whole")
        except rl.InputError as error:
            results["error"] = str(error)
        print(json.dumps(results))
    finally:
        session.stop()


if __name__ == "__main__":
    main(sys.argv[1])
