"""Identification: functions whose definitions are known, here and in other packages, and what they are taken for."""
