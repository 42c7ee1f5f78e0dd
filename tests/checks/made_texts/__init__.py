"""Texts of registers, statutes, letters and bills as they set them, with names of nobody, and what is true of them.

Each begins with `@@` and its name; members up to `===` are its truth as in labels of `manage.py evaluate`, and
the text follows: `^` sets a line in the middle, `>` to the right, `#` as a title, `~` small, `---` draws a rule, `%%` begins a page,
and `|` parts the cells of a row, whose places are in `cols`.
"""
