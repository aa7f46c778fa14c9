"""Analysis before translation: side effects, order of evaluation, statements that must stay R."""
