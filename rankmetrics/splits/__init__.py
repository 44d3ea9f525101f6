"""Splits of interactions into train and test, by the files of sql/splits."""
