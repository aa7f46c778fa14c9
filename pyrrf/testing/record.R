# Records the forests that an R script grows: what each call was given, the random stream before and after it, what it
# answered. pyrrf_record("script.R", "calls.rds") runs the script; pyrrf.testing replays the file where R is not.
pyrrf_record <- function(script, file) {
    recorder <- new.env()
    recorder$calls <- list()
    recorder$data <- list()
    file <- file.path(normalizePath(dirname(file)), basename(file))  # the script may call setwd()
    save <- function(recorder) {
        if (isTRUE(recorder$saved)) return(invisible())
        recorder$saved <- TRUE
        saveRDS(list(recorder = 1L, r = R.version.string, packages = pyrrf_packages(),
                     data = recorder$data, calls = recorder$calls), file)
    }
    on.exit(save(recorder))
    reg.finalizer(recorder, save, onexit = TRUE)  # where the script calls quit()
    setHook(packageEvent("RRF", "onLoad"), function(...) pyrrf_watch("RRF", recorder))
    setHook(packageEvent("randomForest", "onLoad"), function(...) pyrrf_watch("randomForest", recorder))
    for (package in intersect(c("RRF", "randomForest"), loadedNamespaces())) pyrrf_watch(package, recorder)
    source(script, local = globalenv(), echo = FALSE, print.eval = TRUE)
    invisible(recorder)
}

pyrrf_packages <- function() {
    names <- intersect(c("RRF", "randomForest"), loadedNamespaces())
    vapply(names, function(name) as.character(packageVersion(name)), "")
}

# The method that all ways of calling end in gets two lines more, in the namespace and where methods are looked up.
pyrrf_watch <- function(package, recorder) {
    space <- asNamespace(package)
    name <- paste0(package, ".default")
    method <- get(name, space)
    if (!is.null(attr(method, "pyrrf"))) return(invisible())
    enter <- function(frame, given) pyrrf_enter(package, frame, given, recorder)
    leave <- function(began, result) pyrrf_leave(began, result, recorder)
    body(method) <- bquote({
        .pyrrf_call <- match.call(expand.dots = FALSE)
        .pyrrf_began <- .(enter)(environment(), setdiff(names(.pyrrf_call)[-1], "..."))
        on.exit(.(leave)(.pyrrf_began, returnValue()), add = TRUE)
        .(body(method))
    })
    attr(method, "pyrrf") <- TRUE
    methods <- get(".__S3MethodsTable__.", space)
    for (place in list(space, methods, as.environment(methods))) {
        if (!exists(name, place, inherits = FALSE)) next
        locked <- bindingIsLocked(name, place)
        if (locked) unlockBinding(name, place)
        assign(name, method, place)
        if (locked) lockBinding(name, place)
    }
}

# Arguments are evaluated here in the order of the call; one that draws has drawn before the stream is looked at.
pyrrf_enter <- function(package, frame, given, recorder) {
    arguments <- list()
    for (name in given) arguments[[name]] <- list(get(name, frame))
    arguments <- lapply(arguments, function(part) part[[1]])
    for (name in intersect(given, c("x", "y", "xtest", "ytest"))) {
        arguments[[name]] <- pyrrf_shared(arguments[[name]], recorder)
    }
    list(name = package, arguments = arguments, before = pyrrf_stream())
}

# Data that several calls have stand once in the file; a call has their number.
pyrrf_shared <- function(value, recorder) {
    attr(value, "terms") <- NULL
    for (at in seq_along(recorder$data)) if (identical(recorder$data[[at]], value)) return(at)
    recorder$data[[length(recorder$data) + 1]] <- value
    length(recorder$data)
}

pyrrf_stream <- function() {
    if (exists(".Random.seed", globalenv(), inherits = FALSE)) get(".Random.seed", globalenv()) else NULL
}

pyrrf_leave <- function(began, result, recorder) {
    if (is.null(result)) return(invisible())
    result$call <- NULL
    result$terms <- NULL
    recorder$calls[[length(recorder$calls) + 1]] <- c(began, list(after = pyrrf_stream(), result = result))
}
