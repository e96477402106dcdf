"""The cost of importing the protocol's parts."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["protocol", "protocol.version", "protocol.texts"])
def test_light_parts_stay_light(module: str) -> None:
    """Importing names, codes and texts loads neither pydantic nor websockets."""
    heavy = "{'pydantic', 'websockets', 'msgpack', 'asyncio'}"
    code = f"import sys, {module}; sys.exit(repr({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "set()"
