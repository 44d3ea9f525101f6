-- place: where a recommendation stands in its list.
SELECT
  rank AS given, -- where its rank column says
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, item) AS item, -- by score; ties by item, ascending
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, item DESC NULLS LAST) AS item_desc, -- by score; ties by item, descending
  ROW_NUMBER() OVER (PARTITION BY list_id ORDER BY score DESC NULLS LAST, input_row) AS input -- by score; ties in the order of the rows
FROM recs
