from roclab.monitor.api.app import create_app as create_app
from roclab.monitor.client import Client as Client
from roclab.monitor.client import ClientCounts as ClientCounts
from roclab.monitor.client import LoggedClassifier as LoggedClassifier
from roclab.monitor.settings import Settings as Settings
