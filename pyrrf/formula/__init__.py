"""R's formulas: terms and the model frame."""
