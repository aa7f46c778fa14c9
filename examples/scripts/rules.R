# Rules from a forest: extracted, measured, pruned, selected, and put together as a learner.
library(RRF)
library(inTrees)

iris <- read.csv("../data/iris.csv", stringsAsFactors = TRUE)
X <- iris[, 1:4]
target <- iris[, "Species"]

set.seed(1)
rf <- RRF(X, target, ntree = 30, flagReg = 0)
treeList <- RF2List(rf)
ruleExec <- unique(extractRules(treeList, X))
cat(nrow(ruleExec), "conditions\n")

ruleMetric <- getRuleMetric(ruleExec, X, target)
ruleMetric <- pruneRule(ruleMetric, X, target)
ruleMetric <- unique(ruleMetric)
frequency <- as.numeric(ruleMetric[, "freq"])
accuracy <- 1 - as.numeric(ruleMetric[, "err"])
lengths <- as.numeric(ruleMetric[, "len"])
cat("mean length", mean(lengths), "mean accuracy", mean(accuracy), "\n")
good <- sum(frequency > 0.2 & accuracy > 0.95)

ruleMetric <- selectRuleRRF(ruleMetric, X, target)
kept <- nrow(ruleMetric)
learner <- buildLearner(ruleMetric, X, target)
predicted <- applyLearner(learner, X)
wrong <- sum(predicted != as.character(target))
errorRate <- mean(predicted != target)
print(presentRules(ruleMetric, colnames(X)))

# The same with a regularized forest, which splits on fewer features.
rrf <- RRF(X, target, ntree = 30, flagReg = 1, coefReg = 0.6)
rrfRules <- unique(extractRules(RF2List(rrf), X, ntree = 20, maxdepth = 4))
rrfMetric <- getRuleMetric(rrfRules, X, target)
rrfMetric <- pruneRule(rrfMetric, X, target, maxDecay = 0.05, typeDecay = 2)
shortest <- min(as.numeric(rrfMetric[, "len"]))
meanFrequency <- mean(as.numeric(rrfMetric[, "freq"]))
readable <- presentRules(rrfMetric, colnames(X))
cat("rules:", kept, "of the forest,", nrow(rrfMetric), "of the regularized one\n")
