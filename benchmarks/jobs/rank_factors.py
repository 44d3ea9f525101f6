"""A job of factors.py over 50,000 users and 20,000 items: the folder, which is not read, then the job."""

import os
import sys
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[threads] = "2"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import factors  # noqa: E402  # it imports NumPy, which reads the number of threads

factors.run(sys.argv[2], 50_000, 20_000)
