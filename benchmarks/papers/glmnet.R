# Reads x.csv (no header), y.csv and settings from a folder; writes what cv.glmnet selects, positions from 1.
# Settings as in the scripts of the GRRF paper's first author: 5 folds, six values of lambda, multinomial also for
# two classes, coefficients at lambda.1se.
library(glmnet)
arguments <- commandArgs(TRUE)
folder <- arguments[1]
set.seed(as.integer(arguments[2]))
x <- as.matrix(read.csv(file.path(folder, "x.csv"), header = FALSE))
y <- as.factor(readLines(file.path(folder, "y.csv")))
fit <- cv.glmnet(x, y, lambda = as.numeric(strsplit(arguments[4], ",")[[1]]), nfolds = as.integer(arguments[3]),
                 family = "multinomial")
selected <- unique(unlist(lapply(coef(fit, s = "lambda.1se"), function(b) which(as.vector(b)[-1] != 0))))
writeLines(as.character(selected), file.path(folder, "selected"))
