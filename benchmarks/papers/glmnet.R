# The columns that cv.glmnet selects, from 0; jobs/serve.R calls `select`.
# Settings as in the scripts of the GRRF paper's first author: 5 folds, six values of lambda, multinomial also for
# two classes, coefficients at lambda.1se.
suppressPackageStartupMessages(library(glmnet))

select <- function(x, y, seed, folds, lambdas) {
  set.seed(as.integer(seed))
  fit <- cv.glmnet(x, as.factor(y), lambda = as.numeric(strsplit(lambdas, ",")[[1]]), nfolds = as.integer(folds),
                   family = "multinomial")
  chosen <- lapply(coef(fit, s = "lambda.1se"), function(b) which(as.vector(b)[-1] != 0) - 1)
  paste(unique(unlist(chosen)), collapse = " ")
}
