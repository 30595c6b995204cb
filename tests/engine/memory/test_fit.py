"""Fitting planes: exact where the truth is a maximum of planes, never falling, judged by what it has not seen."""

import itertools

import pytest

pytest.importorskip("numpy", reason="the dependency group `measure` is not installed")

from knowledge.memory.fit import Sample, features, fit_peak, largest_error, rising_plane, worst

GIB = 2**30
EARLY, LATE = (1e8, 5e5, 3e5), (6e8, 2e5, 2e5)


def value(plane, image, text):
    return plane[0] + plane[1] * image + plane[2] * text


def samples(held_out=()):
    made = []
    for image, text in itertools.product((256, 1024, 2304, 4096, 9216), (128, 512)):
        parts = tuple(int(value(plane, image, text)) for plane in (EARLY, LATE))
        made.append(Sample(image, text, 0, 32, parts, 0, (image, text) in held_out))
    return made


def test_a_maximum_of_planes_is_found_again():
    fit = fit_peak(samples())
    assert fit.residual < 0.005
    assert len(fit.planes) == 2


def test_held_out_samples_are_judged_and_not_fitted():
    held = {(2304, 512), (4096, 128)}
    fit = fit_peak(samples(held))
    assert fit.points == 8
    assert 0 <= fit.held_out < 0.01
    odd = [*samples(), Sample(2000, 300, 0, 32, (10 * GIB,), 0, held_out=True)]
    assert fit_peak(odd).held_out > 0.5


def test_one_plane_alone_misses_what_two_describe():
    assert fit_peak(samples(), single=True).residual > 0.05


def test_slopes_never_fall():
    rows = [(1.0, float(x), 0.0) for x in range(1, 6)]
    plane = rising_plane(rows, [5 * GIB - x * 1e8 for x in range(1, 6)], [1.0] * 5)
    assert plane[1] >= 0
    assert plane[2] == 0


def test_the_worst_of_several_planes_counts():
    row = features(Sample(10, 20, 900, 40, (1,), 0, held_out=False), square=True)
    assert row == (1.0, 10, 20, 8.0, 240, 900)
    assert worst([[1, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 1]], row) == 930


def test_no_samples_have_no_error():
    assert largest_error([[0, 0, 0, 0, 0]], [], square=False) == 0
