"""The planner: from metrics and a layout to one query."""
