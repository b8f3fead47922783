from roclab.report.page.build import html_report as html_report
from roclab.report.plots import plot as plot
