-- subtopic_hits_with_count: one row per hit and subtopic of the hit, with the number of relevant items of the subtopic.
SELECT subtopic_hits.list_id, subtopic_hits.rank, subtopic_hits.hit_number, subtopic_counts.n_relevant
FROM subtopic_hits
JOIN subtopic_counts
  ON subtopic_hits.truth_id = subtopic_counts.truth_id AND subtopic_hits.subtopic = subtopic_counts.subtopic
