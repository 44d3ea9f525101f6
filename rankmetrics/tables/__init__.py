"""Tables as text: for a terminal, a notebook, Markdown and LaTeX."""
