"""What it takes to import modules, and nothing else: the folder, which is not read, then their names."""

import sys
from importlib import import_module

for module in sys.argv[2:]:
    import_module(module)
