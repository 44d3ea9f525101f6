-- miscalibration: divergence between the category distribution of the first k recommendations and that of the list's history; 0 if they are equal.
--
-- formula: \sum_{c} h_c \ln \frac{h_c}{(1 - \alpha) w_c + \alpha h_c}
-- subject: diversity
-- undefined: no item of the list, or no item of the history, has a category.
-- better: lower
-- range: [0, inf)
-- aliases: calibration
-- source: Steck (2018), Calibrated recommendations. doi:10.1145/3240323.3240372
SELECT CASE WHEN n_history_categories > 0 AND n_list_categories > 0 THEN $divergence END AS miscalibration
FROM metrics
