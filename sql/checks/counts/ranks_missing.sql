-- ranks_missing: Some recommendations have no rank.
--
-- Fill the ranks, or remove these rows.
--
-- n: the recommendations without a rank.
-- needs: rank
-- samples: recs lists_with_missing_ranks
-- order: 8
-- say: {n: recommendation has; recommendations have} no rank{in rank}, such as in {recs}.
SELECT recs_unranked AS n
FROM account
WHERE recs_unranked > 0
