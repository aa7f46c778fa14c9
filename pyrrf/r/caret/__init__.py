"""caret: train(), folds, confusionMatrix()."""
