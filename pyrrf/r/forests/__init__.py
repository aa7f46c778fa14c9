"""RRF, randomForest and inTrees."""
