"""RBoost: boosting of regularized trees (Deng and Runger, 2012; paper 000)."""
