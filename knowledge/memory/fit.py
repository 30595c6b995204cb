"""From measured bytes to coefficients: planes over tokens, none of which ever falls as tokens or rank grow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from knowledge.memory.terms import REFERENCE_RANK

Row = tuple[float, ...]
Planes = list[list[float]]
MOST = 4  # planes of one fit
SEEDS, ROUNDS, LOOSE = 6, 40, 0.03  # of the refinement: starting sets, rounds, pull of samples decided elsewhere
SLACK = 0.002  # a set with fewer planes is taken where its largest error is at most this much larger
SMALL = 128 * 2**20  # errors are weighed relative to the bytes measured, but to no less than these


@dataclass(frozen=True, slots=True)
class Sample:
    """One measured step: image and text tokens of the whole batch, the sum of squared tokens, rank, and bytes.

    `parts` are the peaks of the step's stretches, `kept` what is alive between forward and backward pass.
    """

    image: float
    text: float
    square: float
    rank: int
    parts: tuple[int, ...]
    kept: int
    held_out: bool

    @property
    def peak(self) -> int:
        """Bytes at the worst moment."""
        return max(self.parts)


def features(sample: Sample, *, square: bool) -> Row:
    """(1, image tokens, text tokens, rank above 32, rank above 32 x tokens[, squared tokens])."""
    above = sample.rank - REFERENCE_RANK
    row = (1.0, sample.image, sample.text, float(above), above * (sample.image + sample.text))
    return (*row, sample.square) if square else row


def rising_plane(rows: Sequence[Row], values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Weighted least squares, every slope kept at zero or above (the constant is free)."""
    x, y, weight = np.array(rows, float), np.array(values, float), np.array(weights, float)
    scale = np.abs(x).max(axis=0)
    use = [column for column in range(x.shape[1]) if scale[column] > 0]
    while True:
        made, *_ = np.linalg.lstsq(x[:, use] / scale[use] * weight[:, None], y * weight, rcond=None)
        falling = [place for place, column in enumerate(use) if column and made[place] < 0]
        if not falling:
            break
        del use[min(falling, key=lambda place: made[place])]
    plane = np.zeros(x.shape[1])
    plane[use] = made / scale[use]
    return [float(f"{one:.7g}") for one in plane]


def worst(planes: Iterable[Sequence[float]], row: Row) -> float:
    """The largest of the planes at one place."""
    return max(float(np.dot(plane, row)) for plane in planes)


def largest_error(planes: Sequence[Sequence[float]], samples: Sequence[Sample], *, square: bool) -> float:
    """Largest relative error of the peak over the samples; 0 where there are none."""
    errors = [abs(worst(planes, features(one, square=square)) / one.peak - 1) for one in samples]
    return max(errors, default=0.0)


@dataclass(frozen=True, slots=True)
class Fit:
    """Planes whose maximum is the peak, and how well they do."""

    planes: Planes
    points: int
    residual: float
    held_out: float


def fit_peak(samples: Sequence[Sample], *, square: bool = False, single: bool = False) -> Fit:
    """Up to four planes, one for each part of the step that can decide the peak (or one plane for the peak alone)."""
    fitted = [one for one in samples if not one.held_out]
    held = [one for one in samples if one.held_out]

    def error(planes: Planes) -> float:
        return largest_error(planes, fitted, square=square)

    starts = [[_plane_of_peak(fitted, square=square)]]
    if not single:
        parts = [_plane_of_part(fitted, part, square=square) for part in range(len(fitted[0].parts))]
        starts += [list(some) for size in range(1, MOST + 1) for some in combinations(parts, size)]
        starts.append(_split(fitted, square=square))
    nearest = sorted(starts, key=error)[:SEEDS]
    best = min((_refined(start, fitted, square=square) for start in nearest), key=error)
    simpler = [start for start in starts if len(start) < len(best) and error(start) <= error(best) + SLACK]
    best = min(simpler, key=len, default=best)
    return Fit(best, len(fitted), round(error(best), 5), round(largest_error(best, held, square=square), 5))


def fit_kept(samples: Sequence[Sample], *, square: bool = False) -> Fit:
    """The plane of what a forward pass leaves alive: a second graph held at the same time costs this once more."""
    alive = [replace(one, parts=(one.kept,)) for one in samples]
    return fit_peak(alive, square=square, single=True)


def _weight(sample: Sample) -> float:
    return 1 / max(sample.peak, SMALL)


def _plane_of_peak(samples: Sequence[Sample], *, square: bool) -> list[float]:
    rows = [features(one, square=square) for one in samples]
    return rising_plane(rows, [one.peak for one in samples], [_weight(one) for one in samples])


def _split(samples: Sequence[Sample], *, square: bool) -> Planes:
    """A plane for the small batches and one for the large: where a constant decides below some size."""
    ordered = sorted(samples, key=lambda one: one.image + one.text)
    half = len(ordered) // 2
    return [_plane_of_peak(some, square=square) for some in (ordered[:half], ordered[half:])]


def _plane_of_part(samples: Sequence[Sample], part: int, *, square: bool) -> list[float]:
    """A part matters where it comes near the peak, so it is fitted best there."""
    rows = [features(one, square=square) for one in samples]
    weights = [_weight(one) * (one.parts[part] / one.peak) ** 8 for one in samples]
    return rising_plane(rows, [one.parts[part] for one in samples], weights)


def _refined(planes: Planes, samples: Sequence[Sample], *, square: bool) -> Planes:
    """Each plane fitted anew to the samples it decides (the others holding it loosely), while that helps."""
    rows = [features(one, square=square) for one in samples]
    best, least = planes, largest_error(planes, samples, square=square)
    for _ in range(ROUNDS):
        values = np.array(rows) @ np.array(planes).T
        leader = values.argmax(axis=1)
        planes = [
            rising_plane(
                rows,
                [one.peak if leader[place] == index else values[place, index] for place, one in enumerate(samples)],
                [_weight(one) * (1 if leader[place] == index else LOOSE) for place, one in enumerate(samples)],
            )
            for index in range(len(planes))
        ]
        error = largest_error(planes, samples, square=square)
        if error < least:
            best, least = planes, error
    return best
