"""Privacy: how long cases are kept, which are on hold, and the erasure of the others. Pages, the REST
interface and the tasks call it. It never shows anything, and never erases a case that is open or on hold."""
