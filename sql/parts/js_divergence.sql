-- js_divergence: Jensen-Shannon divergence between the category distributions of the list and of its history, in bits.
--
-- range: [0, 1]
SELECT 1 + COALESCE(SUM((history_share * (LN(2 * history_share / (history_share + list_share)) / LN(2) - 1) + list_share * (LN(2 * list_share / (history_share + list_share)) / LN(2) - 1)) / 2), 0) AS js_divergence
FROM shared_categories
