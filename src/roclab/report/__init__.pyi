from roclab.report.plots import plot as plot
