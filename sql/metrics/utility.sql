-- utility: linear utility: `per_hit` for each hit, `per_miss` for each other recommendation, `per_unfound` for each relevant item that is not recommended.
--
-- formula: w_{\mathrm{hit}} |L_k \cap R| + w_{\mathrm{miss}} (n - |L_k \cap R|) + w_{\mathrm{unfound}} |R \setminus L_k|
-- subject: hits
-- range: (-inf, inf)
-- source: Lewis (1995), The TREC-4 filtering track. In: TREC-4
SELECT $per_hit * n_hits + $per_miss * (n_recommended - n_hits) + $per_unfound * (n_relevant - n_hits) AS utility
FROM metrics
