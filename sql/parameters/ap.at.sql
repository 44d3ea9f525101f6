-- at: the ranks whose precisions are summed.
SELECT
  precisions_at_hits AS hits, -- the ranks of the hits
  precisions_at_positions AS places -- every rank from 1 to k, hit or not (Elliot); needs a cutoff
FROM metrics
