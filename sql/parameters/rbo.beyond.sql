-- beyond: what counts below the cutoff, and below the end of a list that has fewer than k items.
SELECT
  agreements * (1 - $p) / (1 - POWER($p, $k)) AS scaled, -- nothing: the weights of the depths down to k add up to 1, and a short list shares no further items
  $tied AS extrapolated -- all depths: each list goes on, and shares the same part of its items with the other as down to its end (RBO_EXT)
FROM metrics
