"""Rankings of all candidates by a model: from factors or scores to the rows that an evaluation reads."""
