"""R scripts turned into Python that calls `pyrrf.r`; the R code is read, never run.

A script goes through five steps, each a folder that imports only from those before it:

1. `parse`: the text becomes R's syntax tree (`parse.rast`, as `ast` is Python's).
2. `scopes`: which names the script has, where, and which functions of `pyrrf.r` there are. What a function of R does is
   said where it is defined (`pyrrf.r.values.functions.Facts`).
3. `decide`: what code draws, prints and assigns, and when R evaluates it; what Python would do otherwise is refused.
4. `write`: each statement becomes lines of Python's syntax tree, or a comment with the reason why not; then the file.
5. `check`: with ``--check`` R and Python run the script in step, and what is not equal stays as R left it.

`translation.translate` takes a script through 1 to 4. docs/translator.md follows one statement.
"""
