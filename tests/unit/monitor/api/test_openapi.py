"""The description of the routes is complete, and the page is what it says."""

import json

import documents
import pytest

from roclab.monitor.api.app import create_app
from roclab.monitor.settings import ServerSettings, Settings

MAKER = documents.load_script(documents.ROOT / "docs" / "make_monitor_api_page.py")


@pytest.fixture(scope="module")
def described():
    return create_app(Settings()).openapi()


def operations(described):
    return [
        (method, path, one)
        for path, methods in described["paths"].items()
        for method, one in methods.items()
    ]


def test_the_page_is_what_its_script_writes():
    page = MAKER.PAGE.read_text("utf-8")
    assert page == MAKER.page(), "run: python docs/make_monitor_api_page.py"


def test_every_reference_leads_somewhere(described):
    text = json.dumps(described)
    names = {part.partition('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert names == set(described["components"]["schemas"])


def test_every_route_is_described(described):
    for method, path, one in operations(described):
        assert one["summary"], path
        assert "200" in one["responses"], path
        bodies = {status: two["content"] for status, two in one["responses"].items()}
        assert all(len(content) == 1 for content in bodies.values()), (path, bodies)
        assert ("requestBody" in one) == (method == "post" and not path.endswith("/test")), path
        if one.get("parameters"):
            assert "422" in one["responses"], path
        if "{" in path:
            assert "404" in one["responses"], path
        if one["security"]:
            assert {"401", "403"} <= set(one["responses"]), path


def test_every_error_has_the_one_shape(described):
    shape = {"$ref": "#/components/schemas/ErrorAnswer"}
    for _, path, one in operations(described):
        for status, answer in one["responses"].items():
            schema = answer.get("content", {}).get("application/json", {}).get("schema")
            if status >= "400":
                assert shape in (schema, *schema.get("anyOf", ())), (path, status)


def test_tokens_are_described(described):
    scheme = described["components"]["securitySchemes"]["token"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")


def test_bodies_of_rows_are_objects_lists_and_lines(described):
    for path, kind in {
        "/v1/predictions": "PredictionRow",
        "/v1/labels": "LabelRow",
        "/v1/summaries": "SummaryRow",
        "/v1/deployments": "DeploymentRow",
    }.items():
        content = described["paths"][path]["post"]["requestBody"]["content"]
        assert set(content) == {"application/json", "application/x-ndjson"}
        one, several = content["application/json"]["schema"]["anyOf"]
        assert one == several["items"] == {"$ref": f"#/components/schemas/{kind}"}


def test_it_tells_nothing_of_this_installation(tmp_path):
    server = ServerSettings(
        host="10.9.8.7", user_header="X-Secret-User", trusted_proxies=("10.9.8.1",)
    )
    text = json.dumps(create_app(Settings(data=tmp_path / "hidden", server=server)).openapi())
    assert text == json.dumps(create_app(Settings()).openapi())
