"""Tasks of fake-calendar for Inspect. The import needs the package inspect-ai."""

import json
import pathlib
from typing import Any, Dict, List, Optional, Sequence, Union

from inspect_ai import Task
from inspect_ai.agent import as_solver, react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver
from inspect_ai.tool import mcp_server_http

from .attempts import Attempt
from .controls import Controls, connect

Tasks = Union[str, pathlib.Path, Sequence[Dict[str, Any]]]


def calendar_task(tasks: Tasks, url: str, token: Optional[str] = None, vary: Optional[int] = None) -> Task:
    """Returns a task of Inspect: a sample for each task of a folder, or of a list.

    `url` is that of a server (`fake-calendar --control-token`), `token` its control token. The agent works with the tools of
    the MCP server. A score has the values `passed`, `score` and, for tasks with an attack, `secure`, and the evidence as metadata.
    """
    controls = connect(url, token=token)
    samples = [Sample(input=str(one["prompt"]), id=one["name"], metadata={"task": one}) for one in read_tasks(tasks)]
    return Task(dataset=MemoryDataset(samples), solver=work(controls, vary), scorer=grade(controls))


def read_tasks(tasks: Tasks) -> List[Dict[str, Any]]:
    """Reads the tasks of the JSON and YAML files of a folder. YAML needs PyYAML."""
    if not isinstance(tasks, (str, pathlib.Path)):
        return list(tasks)
    files = sorted(one for one in pathlib.Path(tasks).iterdir() if one.suffix in (".json", ".yaml", ".yml"))
    return [_read(file) for file in files]


def _read(file: pathlib.Path) -> Dict[str, Any]:
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        return json.loads(text)
    import yaml

    return yaml.safe_load(text)


@solver
def work(controls: Controls, vary: Optional[int] = None):
    async def solve(state, generate):
        opened = controls.attempts.open(state.metadata["task"], vary=vary)
        state.metadata["attempt"] = opened
        state.user_prompt.text = opened["prompt"]
        server = mcp_server_http(name="calendar", url=opened["mcp"], authorization=opened["token"])
        return await as_solver(react(tools=[server]))(state, generate)

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def grade(controls: Controls):
    async def score(state, target):
        attempt = Attempt(controls, state.metadata["attempt"])
        result = attempt.grade(state.output.completion, end=True)
        attempt.close()
        values = {name: float(result[name]) for name in ("passed", "score", "secure") if name in result}
        problems = [one["text"] for one in [*result["missing"], *result["unexpected"]]]
        return Score(value=values, answer=result["answer"], explanation="\n".join(problems), metadata=result["evidence"])

    return score
