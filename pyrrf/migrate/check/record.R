# Runs a script statement by statement and writes after each one what it changed. The folder PYRRF_RECORD holds the
# statements, 00001.R, 00002.R, ..., and "stdout", to which R writes; 00001.rds, ... are written there. 00000.rds says
# how it began; where "start.rds" is there, R's stream begins as it did then.
#
# A record is a list: values (of the variables that changed), notes (why the value of a variable is not there), removed,
# text (that was printed), cut (whether some of it is left out), error, warnings, seed (if the stream moved; empty if
# .Random.seed is gone), collate and folder (if they changed), quit (whether R ended), seconds.
# Values are those of values.R.
# Nothing of this is looked up in the global environment, where the script may call anything `c` or `list`.
local({
    folder <- normalizePath(Sys.getenv("PYRRF_RECORD"), "/")
    sys.source(Sys.getenv("PYRRF_VALUES"), environment())
    Sys.unsetenv(c("PYRRF_RECORD", "PYRRF_VALUES"))
    shown <- file.path(folder, "stdout")
    largest <- 2^28
    room <- 2^32
    longest <- 1e6
    own <- c(".Random.seed", ".Last.value", ".Traceback")
    before <- new.env(parent = emptyenv())
    state <- new.env(parent = emptyenv())
    state$done <- TRUE

    # ---- values -------------------------------------------------------------------------------------

    # data.table changes its values where they are.
    kept <- function(v) if (inherits(v, "data.table")) unserialize(serialize(plain(v), NULL)) else v

    is_kept <- function(name, v) {
        exists(name, before, inherits = FALSE) && same(before[[name]], if (inherits(v, "data.table")) plain(v) else v)
    }

    in_parts <- function(v) {
        typeof(v) == "list" && (inherits(v, "POSIXlt") || any(vapply(unclass(v), in_parts, NA)))
    }

    # Why a value is not recorded; "" if it is.
    obstacle <- function(v) {
        if (is.function(v)) return("a function")
        if (is.environment(v)) return("an environment")
        if (in_parts(v)) return("times in parts (POSIXlt)")
        size <- as.numeric(utils::object.size(v))
        if (size > largest) return(paste0("a value of ", round(size / 2^20), " MB, too large to be recorded"))
        if (size > room) return("not recorded, since the record is full")
        room <<- room - size
        ""
    }

    changes <- function() {
        values <- list()
        notes <- character()
        names <- setdiff(ls(globalenv(), all.names = TRUE), own)
        removed <- setdiff(ls(before, all.names = TRUE), names)
        rm(list = removed, envir = before)
        for (name in names) {
            if (bindingIsActive(as.name(name), globalenv())) next
            value <- tryCatch(list(get(name, globalenv(), inherits = FALSE)), error = function(e) NULL)
            if (is.null(value) || is_kept(name, value[[1]])) next
            assign(name, kept(value[[1]]), before)
            why <- obstacle(value[[1]])
            if (nzchar(why)) { notes[name] <- why; next }
            found <- plain(value[[1]])
            if (is.symbol(found) && startsWith(as.character(found), ".pyrrf_")) {
                notes[name] <- paste("an object of R's type", substring(as.character(found), 8))
            } else values[name] <- list(found)
        }
        list(values = values, notes = notes, removed = removed)
    }

    # ---- what else a statement leaves behind ----------------------------------------------------------

    order <- function() {
        if (Sys.getlocale("LC_COLLATE") %in% c("C", "POSIX")) "C" else "en_US"
    }

    printed <- function() {
        flush(stdout())
        size <- file.size(shown)
        much <- min(size - state$shown, longest)
        con <- file(shown, "rb")
        seek(con, state$shown)
        bytes <- readBin(con, "raw", much)
        close(con)
        state$cut <- size - state$shown > longest
        state$shown <- size
        text <- rawToChar(bytes[bytes != 0])
        Encoding(text) <- "UTF-8"
        if (validUTF8(text)) text else iconv(rawToChar(bytes[bytes != 0]), "", "UTF-8", sub = "byte")
    }

    write <- function(number, found) {
        file <- file.path(folder, sprintf("%05d.rds", number))
        part <- paste0(file, ".part")
        saveRDS(found, part, version = 2, compress = FALSE)
        file.rename(part, file)
    }

    moved <- function(name, now) {
        if (identical(state[[name]], now)) return(NULL)
        assign(name, now, state)
        now
    }

    record <- function(quit) {
        state$done <- TRUE
        seconds <- proc.time()[[3]] - state$began
        seed <- moved("seed", stream())
        found <- tryCatch(changes(), error = function(e) {
            list(values = list(), notes = character(), removed = character(), problem = conditionMessage(e))
        })
        found <- c(found, list(text = printed(), cut = state$cut, error = state$error, warnings = state$warnings,
                               seed = seed, collate = moved("collate", order()), folder = moved("folder", getwd()),
                               quit = quit, seconds = seconds))
        write(state$number, found)
    }

    # ---- running ------------------------------------------------------------------------------------

    show <- function(value) {
        if (isS4(value)) return(methods::show(value))
        place <- new.env(parent = globalenv())
        assign("x", value, place)
        eval(as.call(list(base::print, quote(x))), place)
    }

    go <- function(code) {
        for (expression in code) {
            found <- withVisible(eval(expression, globalenv()))
            if (found$visible) show(found$value)
        }
        character()
    }

    told <- function(e) paste(c(conditionMessage(e), ""), collapse = "")[1]

    warned <- function(w) if (length(state$warnings) < 50) state$warnings <- c(state$warnings, told(w))

    guarded <- function(code) {
        tryCatch(withRestarts(withCallingHandlers(go(code), warning = warned), abort = function(...) "aborted"),
                 error = told)
    }

    run <- function(number) {
        text <- readLines(file.path(folder, sprintf("%05d.R", number)), encoding = "UTF-8", warn = FALSE)
        state$number <- number
        state$error <- state$warnings <- character()
        state$done <- FALSE
        cat(number, file = file.path(folder, "at"))
        state$began <- proc.time()[[3]]
        code <- tryCatch(parse(text = text, keep.source = FALSE, encoding = "UTF-8"), error = told)
        state$error <- if (is.character(code)) code else guarded(code)
        record(FALSE)
    }

    # As if the script had been given to Rscript; each plot goes nowhere unless the script opens a file for it.
    given <- c("R", "--no-echo", "--no-restore", paste0("--file=", Sys.getenv("PYRRF_SCRIPT")))
    unlockBinding("commandArgs", baseenv())
    assign("commandArgs", function(trailingOnly = FALSE) if (trailingOnly) character() else given, baseenv())
    lockBinding("commandArgs", baseenv())
    Sys.unsetenv("PYRRF_SCRIPT")
    options(device = function(...) grDevices::pdf(NULL))

    start <- file.path(folder, "start.rds")
    if (file.exists(start)) assign(".Random.seed", readRDS(start)$seed, globalenv()) else set.seed(NULL)
    state$seed <- stream()
    state$collate <- order()
    state$folder <- getwd()
    state$shown <- 0
    reg.finalizer(state, function(...) if (!state$done) record(TRUE), onexit = TRUE)
    write(0L, list(version = 1L, r = R.version.string, seed = state$seed, collate = state$collate))
    for (number in seq_along(list.files(folder, "^[0-9]+[.]R$"))) run(number)
}, envir = new.env(parent = baseenv()))
