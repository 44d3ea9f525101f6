"""A list in detail: where its numbers come from (`trace`), and the lists with the worst values (`worst_lists`)."""
