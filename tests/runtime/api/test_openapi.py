"""The server against its own OpenAPI document, by requests that Schemathesis makes up."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from omoide.tests.runtime.cli.command_line import Omoide

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "unsupported_method",
)


@pytest.mark.kill
def test_what_the_document_says_holds_for_any_request(omoide: Omoide) -> None:
    with omoide.start("serve", "--port", "0", "--json") as server:
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["address"]

            tried = subprocess.run(
                [
                    *(sys.executable, "-m", "schemathesis.cli", "run", f"{address}/v1/openapi.json"),
                    *("--exclude-path", "/v1/characters/{name}/changes"),  # it never ends
                    *("--exclude-path", "/v1/characters/{name}/import"),  # Schemathesis writes no such lines
                    *("--phases", "coverage,fuzzing"),
                    *("--checks", ",".join(CHECKS), "--max-examples", "3", "--seed", "1", "--no-color"),
                ],
                capture_output=True,
                text=True,
                timeout=200,
                check=False,
                cwd=omoide.data.parent,  # it leaves a cache behind
            )
        finally:
            server.kill()

    assert tried.returncode == 0, tried.stdout[-3_000:]
