-- duplicates: how a repeated item of a list counts.
SELECT
  NULL AS once, -- it keeps all its positions, and counts as a hit once, at its first position
  NULL AS each, -- if relevant, it counts as a hit at each of its positions; a metric may exceed its range
  NULL AS first, -- only its first position stays; later items move up
  NULL AS refused -- collect(), printing, write() and the command line refuse the input, also if the truth repeats a row; summary() and per_list(), which check nothing, count as `once` does
