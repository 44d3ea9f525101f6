-- draws: one row per truth list and item that may be drawn for it, with a key. The lowest keys are drawn, popular items more often.
--
-- The key is an exponential variate whose rate is the popularity: ln(1 / u) / popularity, with u between 0 and 1 from the hash.
-- The items with the lowest keys are then a sample without replacement, weighted by popularity.
-- source: Efraimidis, Spirakis (2006), Weighted random sampling with a reservoir. doi:10.1016/j.ipl.2005.11.003
-- when: sample by popularity
SELECT uniform_variates.truth_id, uniform_variates.item, LN(1 / uniform_variates.u) / popularity.n_users AS draw_key
FROM uniform_variates
JOIN popularity ON uniform_variates.fold_id = popularity.fold_id AND uniform_variates.item = popularity.item
