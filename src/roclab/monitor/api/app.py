"""The application: all routes, around one service."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI

from roclab import __version__
from roclab.monitor.api.acts import add_acts
from roclab.monitor.api.context import Context
from roclab.monitor.api.errors import add_errors
from roclab.monitor.api.events import add_events
from roclab.monitor.api.health import add_health
from roclab.monitor.api.ingest import add_ingest
from roclab.monitor.api.openapi import add_openapi
from roclab.monitor.api.page import add_page
from roclab.monitor.api.pictures import add_pictures
from roclab.monitor.api.reading import add_reading
from roclab.monitor.api.summaries import add_summaries
from roclab.monitor.api.token_routes import add_tokens
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings


def create_app(settings: Settings) -> FastAPI:
    """The monitor as an ASGI application.

    Parameters
    ----------
    settings : Settings
        Settings of the installation; secrets of channels come from the environment.

    Returns
    -------
    FastAPI
        The application. It opens the store when it starts, and closes it when it ends.
    """
    return application(settings, None)


def application(settings: Settings, service: Service | None) -> FastAPI:
    """The application, of a service that was made already or makes its own."""
    context = Context(settings, service)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        context.start(lambda: Service(settings, environment=dict(os.environ)))
        try:
            # A second Ctrl-C ends the server without the rest: no failure, which would be logged.
            with suppress(asyncio.CancelledError):
                yield
        finally:
            await asyncio.to_thread(context.stop)

    app = FastAPI(
        title="roclab monitor",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        # DELETE of a shortened path must not become DELETE of what is above it.
        redirect_slashes=False,
    )
    app.state.context = context
    add_errors(app)
    for add in (
        *(add_ingest, add_summaries),
        *(add_reading, add_pictures, add_events),
        *(add_acts, add_tokens),
        add_health,
    ):
        add(app, context)
    add_page(app)
    add_openapi(app, context)
    return app
