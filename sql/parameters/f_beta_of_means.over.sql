-- over: the lists that both means are taken over.
SELECT
  COUNT(CASE WHEN n_relevant > 0 THEN 1 END) AS relevant, -- lists with relevant items
  COUNT(*) AS "all" -- all lists; a list without relevant items counts 0 (evidently)
FROM metrics
