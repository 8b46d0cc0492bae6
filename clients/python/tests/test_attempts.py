"""Attempts of agents from pytest, and from Inspect, of which a stand-in has the names and the arguments that are used."""

import asyncio
import sys
import types

import pytest

TASK = {
    "name": "Book a lunch",
    "seed": {"accounts": [{"email": "alice@example.com"}]},
    "now": "2030-06-03T07:00:00Z",
    "account": "alice@example.com",
    "prompt": "Book lunch on 2030-06-07. Answer with the day.",
    "user": [{"when": {"has": "sure"}, "says": "Yes."}],
    "goal": {
        "do": [{"POST /calendars/primary/events": {"summary": "Lunch", "start": {"date": "2030-06-07"}, "end": {"date": "2030-06-08"}}}],
        "say": {"date": "2030-06-07"},
    },
}
LUNCH = {"summary": "Lunch", "start": {"date": "2030-06-07"}, "end": {"date": "2030-06-08"}}


def book(one):
    return one.call("POST", "/calendars/primary/events", LUNCH)


def test_an_agent_that_books_passes(attempt):
    one = attempt(TASK)
    assert one.prompt.startswith("Book lunch") and one.say("Are you sure?") == "Yes."
    assert book(one)["status"] == "confirmed"

    one.verify("2030-06-07")
    assert one.grade("2030-06-07")["evidence"]["conversation"] == [{"agent": "Are you sure?", "user": "Yes."}]


def test_a_wrong_answer_and_an_idle_agent_fail_with_what_is_missing(attempt):
    one = attempt(TASK, vary=1)
    with pytest.raises(AssertionError, match="Book a lunch: not passed, score 0.00\nmissing: no change"):
        one.verify()
    other = attempt(TASK)
    book(other)
    with pytest.raises(AssertionError, match="score 0.50\nmissing: answer: expected"):
        other.verify("2030-06-08")


def test_the_token_ends_with_the_attempt_and_an_error_is_returned(attempt):
    one = attempt(TASK)
    assert one.call("GET", "/calendars/primary/events/none")["error"]["code"] == 404
    one.grade(end=True)
    assert book(one)["error"]["code"] == 401
    with pytest.raises(AttributeError, match="an attempt has no tokn"):
        one.tokn


@pytest.fixture
def inspect_stand_in(monkeypatch):
    """Modules with the names of inspect-ai. The agent of `react` books the lunch with the token of its MCP server."""

    def add(name, **members):
        module = types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)

    record = types.SimpleNamespace
    add("inspect_ai", Task=lambda *, dataset, solver, scorer: record(dataset=dataset, solver=solver, scorer=scorer))
    add("inspect_ai.agent", as_solver=lambda agent: agent, react=lambda *, tools: _book_with(tools[0]))
    add("inspect_ai.dataset", MemoryDataset=list, Sample=lambda *, input, id, metadata: record(**locals()))
    add(
        "inspect_ai.scorer",
        Score=lambda *, value, answer, explanation, metadata: record(**locals()),
        mean=lambda: "mean",
        stderr=lambda: "stderr",
        scorer=lambda *, metrics: lambda function: function,
    )
    add("inspect_ai.solver", solver=lambda function: function)
    add("inspect_ai.tool", mcp_server_http=lambda *, name, url, authorization: record(**locals()))
    monkeypatch.delitem(sys.modules, "fake_calendar.inspect", raising=False)


def _book_with(server):
    async def solve(state, generate):
        import json
        import urllib.request

        arguments = {"summary": "Lunch", "startTime": "2030-06-07", "endTime": "2030-06-08", "allDay": True}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_event", "arguments": arguments}}
        headers = {
            "Authorization": f"Bearer {server.authorization}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        with urllib.request.urlopen(urllib.request.Request(server.url, json.dumps(message).encode(), headers)) as reply:
            assert not json.load(reply)["result"].get("isError")
        return state

    return solve


@pytest.mark.parametrize("answer, score", [("2030-06-07", 1.0), ("no", 0.5)])
def test_inspect_solves_and_scores_a_sample(inspect_stand_in, fake_calendar, answer, score):
    from fake_calendar.inspect import calendar_task

    server = fake_calendar.server
    task = calendar_task([TASK], server.root, server.token)
    (sample,) = task.dataset
    state = types.SimpleNamespace(
        metadata=sample.metadata,
        user_prompt=types.SimpleNamespace(text=sample.input),
        output=types.SimpleNamespace(completion=answer),
    )
    asyncio.run(task.solver(state, None))
    result = asyncio.run(task.scorer(state, None))

    assert result.value == {"passed": float(score == 1), "score": score}
    assert result.metadata["journal"][0]["method"] == "mcp.create_event"
    assert ("answer: expected" in result.explanation) == (score < 1)
