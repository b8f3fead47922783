"""Where no optional package is installed, public names come, or name the extra that they need."""

import subprocess
import sys

import pytest
from hidden_packages import ROOT

OPTIONAL = (
    *("click", "dask", "distributed", "fastapi", "fastexcel", "matplotlib", "msgspec", "pandas"),
    *("polars", "prometheus_client", "pyarrow", "pydantic", "pyspark", "rich", "skops"),
    *("starlette", "typer", "uvicorn"),
)


def base_install(code):
    """What a script prints without these packages."""
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r})\n"
        f"import hidden_packages; hidden_packages.hide({OPTIONAL!r})\n"
        f"import roclab as rl\n{code}"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_every_public_name():
    found = base_install("""
import importlib
from pathlib import Path

root = Path(rl.__file__).parent
for stub in sorted(root.rglob("__init__.pyi")):
    room = importlib.import_module(".".join(("roclab", *stub.parent.relative_to(root).parts)))
    for name in room.__all__:
        try:
            getattr(room, name)
        except ImportError as error:
            print(f"{room.__name__}.{name}: {type(error).__name__}: {error}")
""")
    assert found == [
        "roclab.monitor.create_app: MissingExtraError: The monitor needs the package fastapi, "
        "which is not installed. Run: pip install 'roclab[monitor]'",
        "roclab.scale.spark.window_auc: MissingExtraError: A window in streams of Spark needs the "
        "package polars, which is not installed. Run: pip install 'roclab[spark]'",
    ]


@pytest.mark.parametrize(
    ("method", "error", "fix"),
    [
        ("to_polars", "MissingExtraError", "pip install 'roclab[cli]'"),
        ("to_pandas", "InputError", "pip install pandas"),
    ],
)
def test_data_frames(method, error, fix):
    (said,) = base_install(f"""
try:
    rl.roc_curve([0, 1], [0.2, 0.8]).{method}()
except rl.{error} as error:
    print(error)
""")
    package = method.removeprefix("to_")
    assert said == (
        f"This data frame needs the package {package}, which is not installed. Run: {fix}"
    )
