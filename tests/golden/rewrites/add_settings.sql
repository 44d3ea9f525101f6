-- add_settings
SELECT 1;

-- clickhouse
SELECT 1
SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, prefer_column_name_to_alias = 1, distributed_product_mode = 'global', query_plan_max_optimizations_to_apply = 1000000;
