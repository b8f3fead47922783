"""A small client of a language server: what an editor shows at a place in a file."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Self


class LanguageServer:
    """pyright, as editors run it, with one open file."""

    def __init__(self, folder: Path, text: str, search_paths: list[str]) -> None:
        settings = {"extraPaths": search_paths, "typeCheckingMode": "off"}
        (folder / "pyrightconfig.json").write_text(json.dumps(settings))
        self._file = folder / "names.py"
        self._file.write_text(text)
        start = "from basedpyright.langserver import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", start, "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._asked = 0
        root = folder.as_uri()
        plain = {"signatureInformation": {"documentationFormat": ["plaintext"]}}
        self._ask(
            "initialize",
            processId=None,
            rootUri=root,
            workspaceFolders=[{"uri": root, "name": "names"}],
            capabilities={"textDocument": {"signatureHelp": plain}},
        )
        self._send(method="initialized", params={})
        document = {"uri": self._file.as_uri(), "languageId": "python", "version": 1, "text": text}
        self._send(method="textDocument/didOpen", params={"textDocument": document})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            pipe.close()

    def signatures(self, line: int, column: int) -> list[dict[str, Any]]:
        """The signatures of the call at a place, both counted from 0."""
        found = self._at("textDocument/signatureHelp", line, column)
        return found["signatures"] if found else []

    def completions(self, line: int, column: int) -> set[str]:
        """The names offered at a place."""
        found = self._at("textDocument/completion", line, column)
        return {item["label"] for item in found["items"]}

    def _at(self, method: str, line: int, column: int) -> Any:
        place = {"line": line, "character": column}
        return self._ask(method, textDocument={"uri": self._file.as_uri()}, position=place)

    def _ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self._send(id=self._asked, method=method, params=params)
        while True:
            message = self._receive()
            if "method" in message:
                if "id" in message:  # the server asks for settings: there are none
                    asked = message["params"].get("items", []) if message.get("params") else []
                    self._send(id=message["id"], result=[{} for _ in asked] or None)
            elif message["id"] == self._asked:
                return message["result"]

    def _send(self, **message: Any) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise EOFError("the language server has ended")
        return json.loads(self._process.stdout.read(length))
