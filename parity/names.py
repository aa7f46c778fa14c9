"""Names that RRF 1.9.4.1 exports, and the methods that it registers; `test_namespace.py` asks R for them."""

EXPORTS = """combine getTree grow importance margin MDSplot na.roughfix partialPlot RRF rrfImpute treesize tuneRRF
varImpPlot varUsed rrfNews outlier classCenter rrfcv""".split()

METHODS = """RRF.default RRF.formula grow.RRF grow.default importance.RRF importance.default margin.RRF margin.default
na.roughfix.data.frame na.roughfix.default outlier.RRF outlier.default partialPlot.RRF partialPlot.default plot.RRF
plot.margin predict.RRF print.RRF rrfImpute.default rrfImpute.formula""".split()
