# Rscript pieces.R FOLDER KEEP VALUES: evaluates FOLDER/1.R, 2.R, ... one after another, each on an empty global environment,
# and writes FOLDER/1.rds, ... with list(values, output, error). KEEP is "steps" to go on after an error; then
# each expression has such a list, with the variables that it changed.
# VALUES is values.R, which makes them plain; functions become the symbol pyrrf_function.
# VALUES may be followed by PLACE, the folder in which each text runs, made anew with four folders above it.
# What lies in FOLDER/files lies beside each. It looks up functions in R's own packages, whatever a text assigns.
local({
    folder <- commandArgs(trailingOnly = TRUE)[1]
    steps <- identical(commandArgs(trailingOnly = TRUE)[2], "steps")

    sys.source(commandArgs(trailingOnly = TRUE)[3], environment())
    mark <- function(kind) {
        if (kind %in% c("closure", "builtin", "special")) "pyrrf_function"
        else if (kind == "environment") "pyrrf_environment" else "pyrrf_opaque"
    }

    variables <- function() {
        found <- ls(globalenv(), all.names = TRUE)
        found <- found[!grepl("^[.]Random.seed$|^[.]Last.value$|^[.]Traceback$", found)]
        lapply(mget(found, globalenv()), plain, mark)
    }

    # Seconds of the processor: on a busy machine loading a package alone takes longer by the clock, which ends what waits.
    out_of_time <- paste("reached", c("CPU", "elapsed"), "time limit")
    evaluated <- function(expression) {
        file <- tempfile()
        sink(file)
        depth <- sink.number()
        error <- tryCatch({
            withCallingHandlers({
                setTimeLimit(cpu = 10, elapsed = 300, transient = TRUE)
                found <- withVisible(eval(expression, globalenv()))
                if (found$visible) if (isS4(found$value)) methods::show(found$value) else print(found$value)
                NULL
            }, warning = function(w) invokeRestart("muffleWarning"), message = function(m) invokeRestart("muffleMessage"))
        }, error = function(e) c(conditionMessage(e), ""))
        setTimeLimit()
        while (sink.number() >= depth) sink()
        shown <- paste(readLines(file, warn = FALSE), collapse = "\n")
        unlink(file)
        list(output = shown, error = if (length(error) > 1) error[1] else character())
    }

    ran <- function(text) {
        parsed <- tryCatch(parse(text = text, keep.source = FALSE), error = function(e) conditionMessage(e))
        if (is.character(parsed)) return(list(values = list(), output = "", error = parsed))
        done <- list(); before <- list()
        for (expression in parsed) {
            stream <- globalenv()$.Random.seed
            one <- evaluated(expression)
            if (steps) {
                one$drew <- !identical(stream, globalenv()$.Random.seed)
                after <- variables()
                changed <- names(after)[!vapply(names(after), function(n) identical(after[[n]], before[[n]], num.eq = FALSE) && !is.null(before[[n]]), NA)]
                one$values <- after[changed]
                before <- after
            }
            done[[length(done) + 1]] <- one
            if (length(one$error) && !steps) {
                if (one$error %in% out_of_time) stop(one$error)
                break
            }
        }
        if (steps) return(done)
        shown <- vapply(done, `[[`, "", "output")
        errors <- unlist(lapply(done, `[[`, "error"))
        list(values = variables(), output = paste(shown[nzchar(shown)], collapse = "\n"), error = as.character(errors))
    }

    given <- commandArgs(trailingOnly = TRUE)[4]
    top <- if (is.na(given)) NULL else Reduce(function(path, n) dirname(path), 1:4, given)
    known <- search(); before <- options()
    files <- sort(as.integer(sub("[.]R$", "", list.files(folder, "^[0-9]+[.]R$"))))
    for (number in files) {
        place <- if (is.na(given)) tempfile("piece") else given
        dir.create(place, recursive = TRUE); setwd(place)
        grDevices::pdf(NULL)
        file.copy(list.files(file.path(folder, "files"), full.names = TRUE), place, recursive = TRUE)
        RNGkind("Mersenne-Twister", "Inversion", "Rejection"); set.seed(1)
        text <- paste(readLines(file.path(folder, paste0(number, ".R")), encoding = "UTF-8"), collapse = "\n")
        answer <- file.path(folder, paste0(number, ".rds"))
        # Where memory does not hold what a text makes, or time runs out, there is no answer.
        tryCatch(saveRDS(ran(text), answer, version = 2, compress = FALSE), error = function(e) unlink(answer))
        rm(list = ls(globalenv(), all.names = TRUE), envir = globalenv())
        for (package in setdiff(search(), known)) try(detach(package, character.only = TRUE), silent = TRUE)
        options(before)
        grDevices::graphics.off()
        setwd(folder); unlink(c(place, top), recursive = TRUE)
    }
}, new.env(parent = baseenv()))
