-- gini: Gini coefficient of how the items share the first k places of all lists.
--
-- Items that nobody was recommended count, with no exposure.
-- undefined: nothing is recommended; as equality, there is only one item, too.
-- better: neither
-- range: [0, 1] unless among=any
-- source: Gini (1912), Variabilità e mutabilità. Bologna
SELECT $form AS gini
FROM runs
