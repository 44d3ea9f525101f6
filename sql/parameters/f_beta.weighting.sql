-- weighting: how beta enters the formula.
SELECT
  $beta * $beta AS squared, -- as its square, so that recall counts beta times as much
  $beta AS plain -- as it is, without a square (trec_eval)
