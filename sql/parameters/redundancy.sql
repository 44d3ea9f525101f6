-- redundancy: how much less a hit is worth for each earlier hit of the same subtopic: alpha in the papers and in ndeval.
--
-- range: [0, 1)
SELECT 0.5 AS redundancy
