"""Cohorts by the calendar, as the streams have them."""

from roclab.streaming.calendar import Calendar as Calendar
from roclab.streaming.calendar import as_datetime as as_datetime
from roclab.streaming.calendar import iso as iso
from roclab.streaming.calendar import microseconds as microseconds
