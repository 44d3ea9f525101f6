"""Rankings of all candidates by a model: from factors or scores to the rows that an evaluation reads.

`rank`: `rank_factors` and `rank_scores`; `rankings`: the object that they return, and as an input of an evaluation;
`inputs`: arrays, ids, pairs, factors; `scores`: scores and ranks of a block of users, and warnings on where relevant
items are; `kernel`: counting ranks.
"""
