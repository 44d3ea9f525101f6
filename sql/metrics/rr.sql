-- rr: reciprocal rank: 1 / rank of the first hit; 0 if there is no hit among the first k. Its mean over lists is MRR.
--
-- formula: \max_{1 \le i \le k} \frac{\mathrm{hit}_i}{i}
-- subject: rank
-- undefined: the list has no relevant items.
-- range: [0, 1]
-- aliases: MRR, mrr, reciprocal_rank, recip_rank
-- source: Voorhees (1999), The TREC-8 question answering track report. TREC-8
SELECT CASE WHEN n_relevant > 0 THEN COALESCE(CAST(1 AS DOUBLE) / first_hit, 0) END AS rr
FROM metrics
