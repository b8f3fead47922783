"""ROC curves with confidence bands, fitted and averaged."""
