"""The front of a driving licence: its numbered fields, as printed in Europe and North America."""
