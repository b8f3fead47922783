"""Draw docs/pictures/repair.png: a repair, on the data it was fitted to and on others."""

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import roclab as rl


def sample(rng: np.random.Generator, n: int) -> rl.Ranking:
    """Scores that rank well, but for a band in which they are the wrong way round."""
    scores = rng.random(n)
    share = np.where(abs(scores - 0.5) < 0.2, 1.25 - 1.5 * scores, scores)
    return rl.Ranking(rng.random(n) < share, scores)


def draw() -> plt.Figure:
    """The same map before other eyes: what it was fitted to, and what it was not."""
    figure, panels = plt.subplots(1, 2, figsize=(8, 4.6), layout="constrained", sharey=True)
    rng = np.random.default_rng(5)
    found, other = sample(rng, 400), sample(rng, 4000)
    repair = rl.repair_section(found)
    rl.plot(repair, ax=panels[0])
    rl.plot(repair, ax=panels[1], ranking=other)
    panels[0].set_title("400 examples, in which it was found")
    panels[1].set_title("4,000 others")
    panels[1].set_ylabel("")
    return figure


if __name__ == "__main__":
    draw().savefig(Path(__file__).with_suffix(".png"), dpi=100)
