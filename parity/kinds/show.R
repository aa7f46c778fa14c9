# Writes a result as one line: its name, then each value with all its digits.
show <- function(name, x) {
    if (is.data.frame(x)) x <- as.matrix(x)
    text <- if (is.factor(x) || is.character(x)) as.character(x) else sprintf("%.17g", as.numeric(x))
    text[is.na(x)] <- "NA"
    cat(name, text, sep = " ")
    cat("\n")
}
