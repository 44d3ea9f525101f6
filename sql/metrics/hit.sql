-- hit: 1 if a relevant item is among the first k recommendations, else 0. Its mean over lists is the hit rate.
--
-- formula: \max_{1 \le i \le k} \mathrm{hit}_i
-- subject: hits
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- values: 0 or 1
-- aliases: HR, HitRate, hit_rate, success
-- source: Deshpande, Karypis (2004), Item-based top-N recommendation algorithms. doi:10.1145/963770.963776
SELECT CASE WHEN n_relevant > 0 THEN CASE WHEN first_hit IS NOT NULL THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END END AS hit
FROM metrics
