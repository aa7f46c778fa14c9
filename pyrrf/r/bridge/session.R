# Answers requests of Python (session.py) until the connection ends. A request is a list:
#   code      of R
#   names     the variables that are wanted, .value for the value of the code; without any, this value alone
#   values    the variables that the code uses, by name; held: those that R holds, by these names their numbers
#   inside    whether they are variables of a function
#   remove    variables that are gone; drop: numbers of what nobody needs any more
#   seed, folder, options, packages (to be attached): what has changed since the last request
# An answer is a list:
#   values    for each that is wanted list(value), or list(number, classes, type, arguments) of what only R can hold, or
#             an empty list where there is none
#   visible   whether R would print the value of the code
#   error, warnings, interrupted, quit
#   changed   other variables that the code changed
#   seed, folder, options (if they changed), order (of strings: C or en_US; if it changed)
# Nothing of this is looked up in the global environment, where a script may call anything `c` or `list`.
local({
    connection <- socketConnection("127.0.0.1", as.integer(Sys.getenv("PYRRF_PORT")), open = "a+b", blocking = TRUE,
                                   timeout = 1e8)
    writeBin(charToRaw(Sys.getenv("PYRRF_TOKEN")), connection)
    known <- strsplit(Sys.getenv("PYRRF_CLASSES"), " ", fixed = TRUE)[[1]]
    sys.source(Sys.getenv("PYRRF_VALUES"), environment())
    Sys.unsetenv(c("PYRRF_PORT", "PYRRF_TOKEN", "PYRRF_CLASSES", "PYRRF_VALUES"))
    held <- new.env(parent = emptyenv())
    before <- new.env(parent = emptyenv())
    state <- new.env(parent = emptyenv())
    state$count <- 0
    state$busy <- FALSE
    state$order <- NULL
    passed_on <- c("digits", "scipen", "stringsAsFactors", "warn", "width", "OutDec", "max.print")

    # ---- values -------------------------------------------------------------------------------------

    # Whether Python can hold a value with all that belongs to it.
    comes_back <- function(v) {
        kind <- typeof(v)
        if (kind == "NULL") return(TRUE)
        if (!kind %in% c("logical", "integer", "double", "character", "list", "language") || isS4(v)) return(FALSE)
        about <- attributes(v)
        if (inherits(v, "formula")) {
            if (!identical(about$.Environment, globalenv())) return(FALSE)
            about$.Environment <- NULL
        } else if (kind == "language") return(FALSE)
        if (!all(about$class %in% known) || inherits(v, "POSIXlt")) return(FALSE)
        if (kind == "character" && (any(Encoding(v) == "bytes") || !all(validEnc(v)))) return(FALSE)
        if (inherits(v, "summaryDefault") && length(about$class) > 2) return(FALSE)  # of dates, which prints so
        all(vapply(about, comes_back, NA)) && (kind != "list" || all(vapply(unclass(v), comes_back, NA)))
    }

    # Values in which code stands for the text of it, behind a letter: c for code, f for a function.
    read_code <- function(v) {
        if (is.symbol(v)) {
            text <- as.character(v)
            if (startsWith(text, ".pyrrf_code f")) return(eval(str2lang(substring(text, 14)), baseenv()))
            return(if (startsWith(text, ".pyrrf_code ")) str2lang(substring(text, 14)) else v)
        }
        about <- attributes(v)
        if (typeof(v) == "list" && any(vapply(unclass(v), is_coded, NA))) {
            v <- lapply(unclass(v), read_code)
            attributes(v) <- about
        }
        for (name in names(about)) if (is_coded(about[[name]])) attr(v, name) <- read_code(about[[name]])
        v
    }
    is_coded <- function(v) {
        if (is.symbol(v)) return(startsWith(as.character(v), ".pyrrf_code "))
        about <- attributes(v)
        typeof(v) == "list" && any(vapply(unclass(v), is_coded, NA)) ||
            !is.null(about) && any(vapply(about, is_coded, NA))
    }

    # Python has no mark for them: of strings alone it can be asked, in tables it is given up.
    is_latin1 <- function(v) is.character(v) && any(Encoding(v) == "latin1")

    given <- function(v) {
        if (comes_back(v) && !is_latin1(v)) return(list(v))
        state$count <- state$count + 1
        assign(as.character(state$count), v, held)
        list(state$count, class(v), typeof(v), if (is.function(v)) as.character(names(formals(args(v)))))
    }

    order <- function() if (Sys.getlocale("LC_COLLATE") %in% c("C", "POSIX")) "C" else "en_US"

    # ---- one request --------------------------------------------------------------------------------

    prepare <- function(asked, place) {
        for (package in asked$packages) if (!paste0("package:", package) %in% search()) {
            suppressPackageStartupMessages(library(package, character.only = TRUE))
        }
        if (length(asked$options)) options(asked$options)
        if (length(asked$folder)) setwd(asked$folder)
        if (length(asked$seed)) assign(".Random.seed", asked$seed, globalenv())
        rm(list = intersect(asked$remove, ls(globalenv(), all.names = TRUE)), envir = globalenv())
        for (name in names(asked$values)) assign(name, read_code(asked$values[[name]]), place)
        for (name in names(asked$held)) {
            number <- asked$held[[name]]
            if (!exists(number, held, inherits = FALSE)) stop("what R held as ", name, " is gone: R has ended since")
            v <- get(number, held)
            # A function of the script sees the variables that were sent, as it would those of the script; but what an
            # argument of a call is (.1) may be printed, with its environment.
            if (is.function(v) && !startsWith(name, ".") && identical(environment(v), globalenv())) environment(v) <- place
            assign(name, v, place)
        }
    }

    wanted <- function(name, place) if (exists(name, place)) given(get(name, place)) else list()

    run <- function(asked, place) {
        found <- list(value = NULL, visible = FALSE)
        # In braces an `else` may begin a line.
        code <- paste0("{", asked$code, "\n}")
        for (expression in parse(text = code, keep.source = FALSE, encoding = "UTF-8")) {
            found <- withVisible(eval(expression, place))
        }
        names <- asked$names
        values <- lapply(names, function(name) if (name == ".value") given(found$value) else wanted(name, place))
        if (!length(names)) values <- list(given(found$value))
        list(values = values, visible = found$visible)
    }

    warned <- function(w) {
        if (getOption("warn") >= 2) return(NULL)
        state$warnings <- c(state$warnings, paste(conditionMessage(w), collapse = "\n"))
        invokeRestart("muffleWarning")
    }

    failed <- function(e) list(error = paste(conditionMessage(e), collapse = ""))

    # The variables that R has under the names of the script, and those of them that code has changed meanwhile.
    note <- function() for (name in ls(globalenv(), all.names = TRUE)) keep(name)
    keep <- function(name) {
        if (!bindingIsActive(as.name(name), globalenv())) assign(name, get(name, globalenv()), before)
    }
    changed <- function(names) {
        all <- setdiff(ls(before, all.names = TRUE), c(names, ".Random.seed"))
        all[!vapply(all, function(name) {
            exists(name, globalenv(), inherits = FALSE) && same(before[[name]], get(name, globalenv()))
        }, NA)]
    }

    answer <- function(asked) {
        state$warnings <- character()
        place <- if (isTRUE(asked$inside)) new.env(parent = globalenv()) else globalenv()
        options <- NULL
        found <- tryCatch(withRestarts(withCallingHandlers({
            prepare(asked, place)
            if (!isTRUE(asked$inside)) for (name in c(names(asked$values), names(asked$held))) keep(name)
            options <- options()[passed_on]
            run(asked, place)
        }, warning = warned), abort = function(...) list(error = "aborted")),
            error = failed, interrupt = function(e) list(interrupted = TRUE))
        now <- options()[passed_on]
        found <- c(found, list(changed = changed(asked$names), warnings = state$warnings, seed = stream(), folder = getwd()))
        if (!is.null(options) && !identical(options, now)) found$options <- now
        if (!identical(state$order, order())) found$order <- state$order <- order()
        note()
        found
    }

    send <- function(found) {
        bytes <- serialize(found, NULL, xdr = TRUE, version = 3)
        flush(stdout())
        flush(stderr())
        writeBin(c(writeBin(as.double(length(bytes)), raw(), endian = "big"), bytes), connection)
    }

    reg.finalizer(state, function(...) if (state$busy) try(send(list(quit = TRUE)), silent = TRUE), onexit = TRUE)
    repeat {
        asked <- tryCatch(unserialize(connection), error = function(e) NULL)
        if (is.null(asked)) break
        if (length(asked$drop)) rm(list = intersect(asked$drop, ls(held)), envir = held)
        state$busy <- TRUE
        found <- answer(asked)
        state$busy <- FALSE
        send(found)
    }
}, envir = new.env(parent = baseenv()))
