"""Tests of rankmetrics/comparisons."""
