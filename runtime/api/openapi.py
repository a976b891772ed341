"""The OpenAPI document of the server, made from its endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ..store import ImportReport
from . import moving, speaking, streaming
from .bodies import ChangesQuery, Fields, GateStreamQuery, NoFields
from .endpoint import ONE, Endpoint
from .problems import MEDIA_TYPE as PROBLEM_TYPE
from .problems import Problem

REF = "#/components/schemas/{name}"


def openapi_document(endpoints: Sequence[Endpoint[Any]], *, version: str) -> dict[str, Any]:
    """Return the document (OpenAPI 3.1) of the endpoints.

    Args:
        endpoints: all that are served.
        version: of the program.
    """
    types = [
        Problem,
        ImportReport,
        ChangesQuery,
        GateStreamQuery,
        *speaking.LINES,
        *(endpoint.takes for endpoint in endpoints),
        *(endpoint.answers for endpoint in endpoints),
    ]
    schemas, components = msgspec.json.schema_components(types, ref_template=REF)
    half = len(endpoints)
    takes, answers = schemas[-2 * half : -half], schemas[-half:]
    paths: dict[str, dict[str, Any]] = {}
    for endpoint, taken, answered in zip(endpoints, takes, answers, strict=True):
        operation = _operation(endpoint, taken, answered, components)
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    _add_streams(paths, schemas[0], components)
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


def _add_streams(paths: dict[str, dict[str, Any]], problem: dict[str, Any], components: dict[str, Any]) -> None:
    """Add the operations whose bodies aren't one JSON document."""
    lines = {"description": "An export, one line after the other.", "type": "string"}
    export = _raw("export", "Return everything about a character, as lines.", moving.MEDIA_TYPE, lines, problem)
    paths[f"{ONE}/export"] = {"get": export}
    report = {"$ref": REF.format(name=ImportReport.__name__)}
    taken = _raw("import", "Make a character of an export.", "application/json", report, problem)
    taken["requestBody"] = {"required": True, "content": {moving.MEDIA_TYPE: {"schema": lines}}}
    paths[f"{ONE}/import"] = {"post": taken}
    events = {
        "description": "Server-sent events: `id` is the seq of an entry, `data` the entry.",
        "type": "string",
    }
    stream = _raw(
        "changes", "Follow what changes, from now on or after an entry.", streaming.MEDIA_TYPE, events, problem
    )
    last = {"name": "Last-Event-ID", "in": "header", "required": False, "schema": {"type": "integer"}}
    stream["parameters"] += [*_query_parameters(ChangesQuery, components), last]
    paths[f"{ONE}/changes"] = {"get": stream}
    gated = {
        "description": "JSON lines, each of which is a Spoken; the last is an Ended or a BrokenOff.",
        "type": "string",
    }
    gate = _raw("gateStream", "Gate a text while it is still being written.", speaking.MEDIA_TYPE, gated, problem)
    gate["parameters"] += _query_parameters(GateStreamQuery, components)
    gate["requestBody"] = {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}
    paths[f"{ONE}/gate-stream"] = {"post": gate}


def _raw(
    name: str, summary: str, media_type: str, schema: dict[str, Any], problem: dict[str, Any]
) -> dict[str, Any]:
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [_path_parameter("name")],
        "responses": {
            "200": {"description": "Done.", "content": {media_type: {"schema": schema}}},
            "default": {
                "description": "What went wrong, and what to do.",
                "content": {PROBLEM_TYPE: {"schema": problem}},
            },
        },
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
                "content": {PROBLEM_TYPE: {"schema": {"$ref": REF.format(name="Problem")}}},
            },
        },
    }
    if endpoint.takes is NoFields:
        return operation
    if endpoint.method == "GET":
        operation["parameters"] += _query_parameters(endpoint.takes, components)
    else:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": taken}}}
    return operation


def _query_parameters(kind: type[Fields], components: dict[str, Any]) -> list[dict[str, Any]]:
    fields = components[kind.__name__]
    required = fields.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": schema}
        for name, schema in fields["properties"].items()
    ]


def _path_parameter(name: str) -> dict[str, Any]:
    about = {"name": "Name of the character.", "part": "An id, the term of a directive, a subject, or an account."}
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": about[name],
        "schema": {"type": "string", "minLength": 1},
    }
