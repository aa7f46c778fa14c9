"""No argument of a function of scripts is taken and forgotten."""

from __future__ import annotations

import ast
from pathlib import Path

import pyrrf.r

# Arguments that change no value and no printed text: time, encodings, widths of pictures; "dots" that R swallows, too.
NO_EFFECT = {
    "conditions": {"call", "domain", "immediate_", "message", "noBreaks_"},
    "control": {"gcFirst"},
    "factors": {"nmax", "dots"},
    "files": {
        "ascii", "check", "compress", "copy_date", "copy_mode", "encoding", "envir", "expand", "force", "mode", "ok",
        "recursive", "refhook", "skipNul", "useBytes", "version",
    },
    "functional": {"quote"},
    "reading": {"encoding", "skipNul"},
    "texts": {"env", "useBytes"},
    "types": {"dots"},
    "vectors": {"dots"},
    "sets": {"dots"},
    "grouping": {"quiet"},
    "packages": {"character_only", "dots", "named", "quietly"},
    "process": {"runLast", "save"},
}  # fmt: skip
# Pictures are drawn by matplotlib; fits swallow further arguments as RRF and randomForest do.
WHOLE = {"plots", "answers", "searches"}
# Functions that always refuse, or that are handed all their arguments by ``locals()``.
APART = {
    "by", "ftable", "xtabs", "det", "solve", "cummean", "trainControl",
}  # fmt: skip
# All methods of a function take what it hands on.
METHODS = {
    name.rpartition("=")[2].replace(".", "_")
    for names in pyrrf.r._METHODS.values()
    for name in names.split()
    if ".default" not in name
}
# One argument that R takes no notice of, or that a later line looks at in another way.
KNOWN = {
    ("predict", "dots"), ("predict", "ignored"), ("defaultSummary", "lev"),
    ("defaultSummary", "model"), ("type_convert", "ignored"), ("dist", "p"),
    ("toString", "collapse"), ("na_omit", "dots"), ("na_omit", "ignored"), ("na_exclude", "dots"),
    ("na_exclude", "ignored"), ("na_pass", "dots"), ("na_fail", "dots"), ("rowsum", "dots"),
    ("sweep", "check_margin"),
}  # fmt: skip


def test_each_argument_is_used_or_refused() -> None:
    forgotten = []
    for file in Path(pyrrf.r.__file__).parent.rglob("*.py"):
        if file.parent.name == "graphics" or file.stem in WHOLE:
            continue
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.name not in APART | METHODS:
                unused = _parameters(node) - _names(node.body) - _refused(node) - NO_EFFECT.get(file.stem, set())
                forgotten += [(node.name, name) for name in unused]
    assert set(forgotten) - KNOWN == set()
    assert set(forgotten) >= KNOWN


def _parameters(node: ast.FunctionDef) -> set[str]:
    parts = [*node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
    return {part.arg for part in parts if part is not None}


def _names(body: list[ast.stmt]) -> set[str]:
    return {inner.id for part in body for inner in ast.walk(part) if isinstance(inner, ast.Name)}


def _refused(node: ast.FunctionDef) -> set[str]:
    """Return the arguments that ``default_only`` names, or ``r_function`` as unsupported."""
    calls = [call for call in node.decorator_list if isinstance(call, ast.Call)]
    named = [word.value for call in calls for word in call.keywords if word.arg == "unsupported"]
    parts = [part for call in calls for part in call.args] + named
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return {name for text in texts for name in text.split()}
