-- duplicates: what an item that a list repeats counts for.
SELECT
  NULL AS once, -- it takes its places and is credited once, at the first
  NULL AS each, -- if relevant, it is credited at each of its places; a metric may exceed its range
  NULL AS first, -- it is left out but for the first place, and what follows moves up
  NULL AS refused -- whatever computes through rankmetrics refuses it, and a row of the truth that repeats; unchecked, as once
