-- unjudged: what becomes of recommended items that nobody judged, because the truth of the list has no row for them.
SELECT
  NULL AS irrelevant, -- they stay, and count as irrelevant
  NULL AS removed -- they are removed before any cutoff, and the items below move up (condensed lists: Sakai 2007)
