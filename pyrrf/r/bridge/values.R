# Values as Python reads them. plain(v) has a symbol for each function, environment and the like inside of v, as
# .pyrrf_closure or what `mark` makes of the type; environments of formulas and sources of functions are left out.
vectors <- c("logical", "integer", "double", "complex", "character", "raw")
gone <- c(".Environment", "srcref", "srcfile", "wholeSrcref", ".internal.selfref")

# Whether code holds nothing but code and constants.
pure <- function(code) {
    for (i in seq_along(code)) {
        if (identical(code[[i]], quote(expr = ))) next
        part <- code[[i]]
        if (is.language(part) && !is.symbol(part)) { if (!pure(part)) return(FALSE) }
        else if (!is.symbol(part) && !typeof(part) %in% c(vectors, "NULL")) return(FALSE)
    }
    TRUE
}

is_plain <- function(v) {
    about <- attributes(v)
    if (!is.null(about) && (any(names(about) %in% gone) || !all(vapply(about, is_plain, NA)))) return(FALSE)
    kind <- typeof(v)
    if (kind == "list") return(!isS4(v) && all(vapply(v, is_plain, NA)))
    if (kind == "language") return(pure(v))
    kind %in% c(vectors, "NULL", "symbol")
}

plain <- function(v, mark = function(kind) paste0(".pyrrf_", kind)) {
    kind <- typeof(v)
    if (is_plain(v)) return(v)
    if (!kind %in% c("list", "language", vectors) || isS4(v) || kind == "language" && !pure(v)) {
        return(as.name(mark(kind)))
    }
    about <- attributes(v)
    about <- about[setdiff(names(about), gone)]
    # Rows that R only counts stay such.
    if (is.data.frame(v) && .row_names_info(v) < 0L) about$row.names <- .set_row_names(.row_names_info(v, 2L))
    if (kind == "list") v <- lapply(unclass(v), plain, mark)
    attributes(v) <- lapply(about, plain, mark)
    v
}

# Whether two values are the same, with all that belongs to them.
same <- function(a, b) {
    identical(a, b, num.eq = FALSE, single.NA = TRUE, attrib.as.set = TRUE, ignore.bytecode = TRUE,
              ignore.environment = FALSE, ignore.srcref = TRUE)
}

# The random stream; empty before it is seeded.
stream <- function() {
    if (exists(".Random.seed", globalenv(), inherits = FALSE)) get(".Random.seed", globalenv()) else integer()
}
