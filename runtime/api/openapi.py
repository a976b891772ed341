"""The OpenAPI document of the server, made from its endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from .bodies import NoFields
from .endpoints import Endpoint
from .problems import MEDIA_TYPE, Problem

REF = "#/components/schemas/{name}"


def openapi_document(endpoints: Sequence[Endpoint[Any]], *, version: str) -> dict[str, Any]:
    """Return the document (OpenAPI 3.1) of the endpoints.

    Args:
        endpoints: all that are served.
        version: of the program.
    """
    types = [Problem, *(endpoint.takes for endpoint in endpoints), *(endpoint.answers for endpoint in endpoints)]
    schemas, components = msgspec.json.schema_components(types, ref_template=REF)
    half = len(endpoints)
    takes, answers = schemas[1 : half + 1], schemas[half + 1 :]
    paths: dict[str, dict[str, Any]] = {}
    for endpoint, taken, answered in zip(endpoints, takes, answers, strict=True):
        operation = _operation(endpoint, taken, answered, components)
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Omoide",
            "version": version,
            "summary": "The long-term memory of characters",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}, {}],
    }


def _operation(
    endpoint: Endpoint[Any], taken: dict[str, Any], answered: dict[str, Any], components: dict[str, Any]
) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "parameters": [_path_parameter(name) for name in ("name", "part") if f"{{{name}}}" in endpoint.path],
        "responses": {
            "200": {"description": "Done.", "content": {"application/json": {"schema": answered}}},
            "default": {
                "description": "What went wrong, and what to do.",
                "content": {MEDIA_TYPE: {"schema": {"$ref": REF.format(name="Problem")}}},
            },
        },
    }
    if endpoint.takes is NoFields:
        return operation
    if endpoint.method == "GET":
        fields = components[endpoint.takes.__name__]
        required = fields.get("required", [])
        operation["parameters"] += [
            {"name": name, "in": "query", "required": name in required, "schema": schema}
            for name, schema in fields["properties"].items()
        ]
    else:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": taken}}}
    return operation


def _path_parameter(name: str) -> dict[str, Any]:
    about = {"name": "Name of the character.", "part": "An id, or the term of a directive."}
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": about[name],
        "schema": {"type": "string", "minLength": 1},
    }
