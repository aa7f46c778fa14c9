"""The tables and figures of the papers, made again: `python -m benchmarks.papers NAME --data FOLDER`.

A table is a module of this folder whose name begins with p and the paper's number, such as `p003_table1.py`. The
command finds it by the name of the file, and in it the one name `TABLE`::

    from benchmarks.papers.grid import Cell, Grid
    from benchmarks.jobs.job import Answers, Job, Options, seed_of
    from benchmarks.papers.table import Table

    def one_split(options: Options, name: str, split: int) -> dict[str, float]:     # runs in a process of its own
        data = read_set(options.data, name)                                         # benchmarks.jobs.sets
        ...                                                                         # seed_of(name, split), one thread
        return {"size": 12, "error": .175}                                          # anything that JSON can hold

    def jobs(options: Options) -> list[Job]:                                        # cheap jobs first
        return [Job(f"colon/{split}", one_split, ("colon", split)) for split in range(1, options.count(100) + 1)]

    def report(answers: Answers) -> list[Grid]:                                     # answers: key -> what a job gave
        found = answers.below("colon")                                              # those at hand: some may be missing
        errors = Cell.over([answer["error"] for answer in found], paper=.175)       # mean, 95 % interval by Student's t
        return [Grid("Errors", rows=["colon"], columns=["RF"], cells=[[errors]], step=.001)]

    TABLE = Table("003-table1", "Table 1: ...", jobs, report)

- The arguments of a job are numbers, strings and lists of them. An answer is kept as JSON in the store (by default
  build/papers/NAME/KEY.json) together with the arguments: it is used again while the arguments are the same, so a
  changed default must be an argument. A run that was killed goes on where it was; `--jobs` processes work at once.
- `Job(..., needs=("colon/1",))` is begun when those are done; their answers follow the arguments.
- `Job(..., cost=3)` tells how long it takes beside the others, for the time left that is shown.
- A job that raises is reported by its key; the others go on.
- `Table(..., engines=("r", "parallel"))`: `options.engine` is the first of them unless --engine names the other;
  answers of each are kept apart. `Table(..., store="003-genes")`: tables of one store share the answers of equal keys.
- `Table(..., draw=function)`: Answers -> {"": Figure} or {"sizes": Figure, ...} of matplotlib, kept as
  docs/papers/NAME.svg or docs/papers/NAME-sizes.svg and linked in the section.
- A cell without `paper` is our own; `Cell(text="1-9-0", paper_text="1-9-0")` is printed and not counted. `Grid.step` is
  the last digit that the paper prints: its 27 (step 1) is inside where our interval meets 26.5 to 27.5.
- A function that runs R or Weka says in its answer that it could not (None), or the list of jobs leaves it out.
- Methods to compare with are in `comparators.py`. Debian has what they call: `apt-get install --no-install-recommends
  weka default-jre-headless r-cran-glmnet`. Another place of Weka 3.6's jar goes into the variable WEKA_JAR.

benchmarks/PAPERS.md has one section a table; a whole run, and --report, write their own sections and the summary above
them. What differs from the paper, and why, is written there by hand, below the mark of the note; a run keeps it. A
trial (`--splits N`) is printed only. An unfinished run is named so in its heading.
"""
