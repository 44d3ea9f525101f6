-- unrepeated: share of the first k recommendations that do not repeat an item above them; with per=list, 1 if no item repeats, else 0.
--
-- formula: \frac{|L_k|}{n}
-- subject: counts
-- undefined: the list is empty.
-- range: [0, 1]
-- source: RecTools 0.19, rectools.metrics.UnrepeatedReco
SELECT $per AS unrepeated
FROM metrics
