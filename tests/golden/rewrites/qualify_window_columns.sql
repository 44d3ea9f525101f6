-- qualify_window_columns
SELECT SUM(y) OVER (ORDER BY rank) FROM recs;

-- mysql
SELECT SUM(`recs`.y) OVER (ORDER BY CASE WHEN `recs`.`rank` IS NULL THEN 1 ELSE 0 END, `recs`.`rank`)
FROM recs;
