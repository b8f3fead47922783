"""Slow and obvious twins of the streaming windows.

`PaperWindow` is the approximate window of Tatti (2018) line by line: plain lists, sums over
everything, and the paper's symbols and orientation (a LOW score is positive):

    s        a score                        p(s), n(s)   positives, negatives at it
    T        all scores                     P            those with positives
    C        the compressed list            gp, gn       labels from a node up to its next
    hp, hn   labels at lower scores         alpha        1 + eps

`printed` names places at which the twin does what the paper prints instead of what is right.
"""

import math
from bisect import bisect_right
from collections import Counter
from fractions import Fraction

import numpy as np

INF = math.inf

PRINTED = {
    "alg3 line 8": "ADD(P, w, v, 1, n2 - n1), before gp(w; P) has its new label",
    "alg3 w = v": "gp(v; P) is not raised if v was positive before",
    "alg3 text": "gn(v; P) is hn(w) - hn(v)",
    "alg7 line 5": "alpha (c + p(v)) with the new node v",
    "alg8 lines 2-5": "gp(u; C) is lowered before ADDNEXT",
    "alg8 line 3": "u dies if p(u) = 1, whether or not its score is s",
}


def twice_wins(events):
    """2U of (positive, score) pairs, high scores positive: all pairs, ties one."""
    high = np.array([score for positive, score in events if positive])[:, np.newaxis]
    low = np.array([score for positive, score in events if not positive])
    return int(2 * (high > low).sum() + (high == low).sum())


class WeightedList:
    """A linked list of scores with the labels in its gaps."""

    def __init__(self):
        self.nodes = [-INF, INF]
        self.gp = {-INF: 0, INF: 0}
        self.gn = {-INF: 0, INF: 0}

    def last(self, s):
        return self.nodes[bisect_right(self.nodes, s) - 1]

    def next(self, v):
        return self.nodes[self.nodes.index(v) + 1]

    def add(self, u, v, p, n):
        self.nodes.insert(self.nodes.index(u) + 1, v)
        self.gp[v], self.gn[v] = self.gp[u] - p, self.gn[u] - n
        self.gp[u], self.gn[u] = p, n

    def remove(self, v):
        u = self.nodes[self.nodes.index(v) - 1]
        self.gp[u] += self.gp.pop(v)
        self.gn[u] += self.gn.pop(v)
        self.nodes.remove(v)

    def gaps(self):
        return [self.gp[v] for v in self.nodes], [self.gn[v] for v in self.nodes]


class PaperWindow:
    """Algorithms 1 to 8, corrected. A window without a size: events come and go as told."""

    def __init__(self, eps, printed=()):
        assert set(printed) <= set(PRINTED)
        self.eps, self.printed = eps, set(printed)
        self.p, self.n = Counter(), Counter()
        self.P, self.C = WeightedList(), WeightedList()

    def within(self, hp, base):
        """Eq. 3, hp <= alpha base, in the form in which rounding is the same everywhere."""
        return hp - base <= self.eps * base

    def head(self, s):
        hp = sum(count for t, count in self.p.items() if t < s)
        return hp, sum(count for t, count in self.n.items() if t < s)

    def add_neg(self, s):
        self.n[s] += 1
        self.P.gn[self.P.last(s)] += 1
        self.C.gn[self.C.last(s)] += 1

    def rem_neg(self, s):
        self.n[s] -= 1
        self.P.gn[self.P.last(s)] -= 1
        self.C.gn[self.C.last(s)] -= 1

    def add_pos(self, s):
        self.add_tree_pos(s)
        u = self.C.last(s)
        self.C.gp[u] += 1
        c = sum(self.C.gp[w] for w in self.C.nodes if w < u)
        p = self.p[s if "alg7 line 5" in self.printed else u]
        if not self.within(c + self.C.gp[u], c + p):
            self.add_next(u)
        self.compress()

    def add_tree_pos(self, s):
        w = self.P.last(s)
        self.p[s] += 1
        if w == s:
            self.P.gp[s] += "alg3 w = v" not in self.printed
            return
        (p1, n1), (p2, n2) = self.head(w), self.head(s)
        if "alg3 line 8" in self.printed:
            self.P.add(w, s, 1, n2 - n1)
        else:
            self.P.gp[w] += 1
            self.P.add(w, s, p2 - p1, n2 - n1)
        if "alg3 text" in self.printed:
            self.P.gn[s] = n1 - n2

    def add_next(self, v):
        w = self.P.next(v)
        if w not in self.C.gp:
            self.C.add(v, w, self.P.gp[v], self.P.gn[v])

    def rem_pos(self, s):
        u = self.C.last(s)
        early = "alg8 lines 2-5" in self.printed
        dying = self.p[u] == 1 and (u == s or "alg8 line 3" in self.printed)
        self.C.gp[u] -= early
        if dying:
            self.add_next(u)
        self.C.gp[u] -= not early
        if dying:
            self.C.remove(u)
        self.p[s] -= 1
        self.P.gp[s] -= 1
        if self.p[s] == 0:
            self.P.remove(s)
        c, old = 0, list(self.C.nodes)
        for v in old[:-1]:
            x = self.C.gp[v]
            if not self.within(c + x, c + self.p[v]):
                self.add_next(v)
            c += x
        self.compress()

    def compress(self):
        v, c = -INF, 0
        while v != INF and (w := self.C.next(v)) != INF:
            if self.within(c + self.C.gp[v] + self.C.gp[w], c + self.p[v]):
                self.C.remove(w)
            else:
                c, v = c + self.C.gp[v], w

    def approx(self):
        """Algorithm 4 without the division: the estimate of U, exactly."""
        hp, a = Fraction(0), Fraction(0)
        for v in self.C.nodes:
            groups = (self.p[v], self.n[v]), (self.C.gp[v] - self.p[v], self.C.gn[v] - self.n[v])
            for p, n in groups:
                a += (hp + Fraction(p, 2)) * n
                hp += p
        return a

    def problems(self):
        """What does not hold, each named once; empty if all does."""
        found = set()
        positive = sorted(s for s, count in self.p.items() if count > 0)
        if self.P.nodes != [-INF, *positive, INF]:
            found.add("content of P")
        if not set(self.C.nodes) <= {-INF, *positive, INF}:
            found.add("C holds what is not positive")
        for part in (self.P, self.C):
            for v, w in zip(part.nodes, [*part.nodes[1:], INF], strict=True):
                (p1, n1), (p2, n2) = self.head(v), self.head(w)
                if (part.gp[v], part.gn[v]) != (p2 - p1, n2 - n1):
                    found.add("gap counters")
        for i, v in enumerate(self.C.nodes):
            base = self.head(v)[0] + self.p[v]
            if i + 1 < len(self.C.nodes) and not self.within(
                self.head(self.C.nodes[i + 1])[0], base
            ):
                found.add("Eq. 3")
            if i + 2 < len(self.C.nodes) and self.within(self.head(self.C.nodes[i + 2])[0], base):
                found.add("Eq. 4")
        return found


def weighted_list(scores, pos, eps):
    """The compressed list of weighted groups by its definition; the highest score first.

    `eps` and the masses are fractions, so that nothing is rounded.
    """
    groups = sorted(zip(scores, pos, strict=True), reverse=True)

    def head(place):
        return sum((mass for _, mass in groups[:place]), Fraction(0))

    listed, base = [], Fraction(0)
    while True:
        reach = max(i for i in range(len(groups) + 1) if head(i) <= (1 + eps) * base)
        if reach == len(groups):
            return listed
        listed.append(groups[reach][0])
        base = head(reach + 1)
