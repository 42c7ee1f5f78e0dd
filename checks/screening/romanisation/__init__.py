"""Names of China, Taiwan, Hong Kong and Korea in one romanisation beside another.

`readings.compare` is the way in: it is for `alignment`, and `readings.keys` for the index. The other
modules hold the syllables of one language each and their spellings. Nothing here knows lists.
"""
