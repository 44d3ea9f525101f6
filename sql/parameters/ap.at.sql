-- at: where the precisions are taken that are summed.
SELECT
  precisions_at_hits AS hits, -- at the rank of each hit
  precisions_at_positions AS places -- at each of the first k places, hit or not (Elliot); needs a cutoff
FROM metrics
