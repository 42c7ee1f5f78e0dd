"""Which words of two names belong together: alike, shortened, joined, or spelt by another tradition.

`pairs.of_words` is the entry point for `alignment`. It only knows the words of two names: the score
of the names is `scoring`'s, and nothing here reads a list.
"""
