-- clicks: pages that a reader turns before the first hit; without a hit among the first k, one more than k items have.
--
-- formula: \left\lfloor \frac{\min \lbrace i \le k : \mathrm{hit}_i = 1 \rbrace - 1}{s} \right\rfloor
-- subject: rank
-- cutoff: needed
-- undefined: the list has no relevant items.
-- range: [0, inf)
-- better: lower
-- source: Chen, Lamere, Schedl, Zamani (2018), RecSys Challenge 2018: automatic music playlist continuation. doi:10.1145/3240323.3240342
SELECT CASE WHEN n_relevant > 0 THEN COALESCE(FLOOR((first_hit - 1) / CAST($page_size AS DOUBLE)), $k / CAST($page_size AS DOUBLE) + 1) END AS clicks
FROM metrics
