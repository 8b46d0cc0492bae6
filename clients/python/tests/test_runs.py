import fnmatch
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request

import pytest
from fake_calendar import keeper


def report_of(result):
    """Returns the output before the summary, where pytest repeats each message whole if CI is set."""
    return result.stdout.str().split(" short test summary info ")[0]


@pytest.mark.parametrize("ci", ["", "true"], ids=["terminal", "CI"])
def test_a_failed_assertion_shows_its_line_and_its_message_once(run_pytest, monkeypatch, ci):
    monkeypatch.setenv("CI", ci)
    result = run_pytest(
        """
        def test_lunch(calendar, control):
            calendar.events().quickAdd(calendarId="primary", text="Dinner").execute()
            control.calls.verify("events.quickAdd", {"params": {"text": "Lunch"}})
        """
    )

    report = report_of(result)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            '>*control.calls.verify("events.quickAdd", {"params": {"text": "Lunch"}})',
            "E       AssertionError: expected at least 1 call of events.quickAdd with *; there is no such call",
            "E       The nearest, call 1 (events.quickAdd calendarId=primary text=Dinner), differs in:",
            'E         params.text: expected "Lunch", got "Dinner"',
            "test_it.py:*: AssertionError",
            "*- fake-calendar -*",
            "the calls of the failed test",
            "  1 events.quickAdd alice@example.com 200 calendarId=primary text=Dinner*",
            "  It is *",
            "  alice@example.com (*)",
            "      * Dinner",
            "FAILED test_it.py::test_lunch - AssertionError: expected at least*",
        ],
        consecutive=False,
    )
    assert report.count("The nearest") == 1
    assert "fake_calendar/" not in report.split("FAILURES")[1]


def test_the_report_of_a_failed_test_explains_each_kind_of_hint_once(run_pytest):
    result = run_pytest(
        """
        import pytest

        def test_list(calendar):
            for _ in range(2):
                with pytest.raises(Exception):
                    calendar.events().list(calendarId="primary", timeMin="2026-03-02").execute()
            assert False
        """
    )

    result.stdout.fnmatch_lines(
        [
            "  1 events.list alice@example.com 400 calendarId=primary timeMin=2026-03-02 reason=badRequest hint=FC101",
            "    FC101 timeMin=2026-03-02 needs a time and an offset.*",
            "    The service expects an RFC 3339 timestamp*",
            "  2 events.list alice@example.com 400 calendarId=primary timeMin=2026-03-02 reason=badRequest hint=FC101",
        ],
        consecutive=True,
    )


def test_an_error_of_the_service_has_no_frames_of_the_client(run_pytest):
    test = """
        def test_list(calendar):
            calendar.events().list(calendarId="none@example.com").execute()
        """
    result = run_pytest(test)

    result.stdout.fnmatch_lines(
        [
            '>*calendar.events().list(calendarId="none@example.com").execute()',
            "E*HttpError 404*Not Found*",
            "test_it.py:*HttpError",
            "    FC303 The calendar none@example.com does not exist: no seed has the account*",
        ]
    )
    result.stdout.no_fnmatch_line("*def execute(*")
    run_pytest(test, "--full-trace").stdout.fnmatch_lines(["*def execute(*"])


def test_a_fault_that_did_not_fire_fails_a_passed_test(run_pytest):
    result = run_pytest(
        """
        def test_retry(control):
            control.faults.add(on="events.list", do={"fail": "backendError"})

        def test_failed(control):
            control.faults.add(on="events.list", do={"fail": "backendError"})
            assert False
        """
    )

    result.assert_outcomes(passed=1, failed=1, errors=1)
    result.stdout.fnmatch_lines(["E*AssertionError: expected fault-1 (events.list: backendError) to fire once*"])


@pytest.mark.parametrize(
    "given, problem",
    [
        ('"team"', "write the name of the argument: seed='team'"),
        ('sed="team"', 'there is no "sed"; did you mean "seed"?'),
        ("user=1", 'there is no "user"; there are seed, now, account'),
        ('seed="teem"', '*"teem"*'),
        ('seed={"acounts": []}', '*"acounts"*'),
        ('now="tomorrow"', "*not an instant: tomorrow*"),
        ('account="alice"', "account: expected an address such as alice@example.com, got 'alice'"),
    ],
)
def test_a_wrong_argument_of_the_marker_names_the_line_of_the_test(run_pytest, given, problem):
    result = run_pytest(
        f"""
        import pytest


        @pytest.mark.fake_calendar({given})
        def test_it(control):
            pass
        """
    )

    result.assert_outcomes(errors=1)
    result.stdout.re_match_lines([re.escape("test_it.py:4: pytest.mark.fake_calendar: ") + fnmatch.translate(problem)])
    assert "plugin.py" not in result.stdout.str()


def test_the_world_of_a_test_is_deleted(run_pytest, pytester, control):
    run_pytest(
        """
        import pathlib

        def test_one(fake_calendar, control):
            control.reset()
            assert fake_calendar.world in control.worlds()
            pathlib.Path("world").write_text(fake_calendar.world)
        """
    ).assert_outcomes(passed=1)

    assert (pytester.path / "world").read_text() not in control.worlds()


def test_without_the_official_client_a_test_is_skipped(run_pytest, pytester):
    pytester.makeconftest("import sys\nsys.modules['googleapiclient'] = None")
    result = run_pytest(
        """
        def test_calendar(calendar):
            pass
        """,
        "-rs",
    )

    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*the official client is not installed: pip install google-api-python-client*"])


@pytest.mark.parametrize("command", ["no-such-program", f"{sys.executable} -c 'raise SystemExit(\"no room\")'"])
def test_a_server_that_does_not_start_is_an_error(pytester, monkeypatch, command):
    monkeypatch.delenv("FAKE_CALENDAR_URL", raising=False)
    monkeypatch.setenv("FAKE_CALENDAR_COMMAND", command)
    pytester.makepyfile("def test_one(calendar):\n    pass\n\ndef test_two(control):\n    pass")
    result = pytester.runpytest_subprocess()

    result.assert_outcomes(errors=2)
    problem = "no room" if "room" in command else "*No such file*"
    result.stdout.fnmatch_lines(
        [
            f"E*ServerError: `*` does not start: {problem}",
            "E*Install it (npm install --save-dev fake-calendar), or set FAKE_CALENDAR_COMMAND or FAKE_CALENDAR_URL.",
        ]
    )


@pytest.mark.parametrize(
    "arguments, command, problem",
    [([], "npx 'fake-calendar", "No closing quotation"), (["-n", "2"], " ", "the command is empty")],
    ids=["one process", "two workers"],
)
def test_a_wrong_command_is_an_error_of_each_test(pytester, monkeypatch, arguments, command, problem):
    if arguments:
        pytest.importorskip("xdist")
    monkeypatch.delenv("FAKE_CALENDAR_URL", raising=False)
    monkeypatch.setenv("FAKE_CALENDAR_COMMAND", command)
    pytester.makepyfile("def test_one(calendar):\n    pass\n\ndef test_two(control):\n    pass")
    result = pytester.runpytest_subprocess(*arguments, timeout=60)

    result.assert_outcomes(errors=2)
    assert report_of(result).count(f" ServerError: `{command}` does not start: {problem}") == 2


@pytest.mark.skipif(os.name != "posix", reason="the keeper needs a POSIX system")
@pytest.mark.parametrize("error", [ProcessLookupError, PermissionError])
def test_the_keeper_ends_its_command_when_the_pid_is_free_or_of_another_user(monkeypatch, error):
    def kill(pid, signal_number):
        raise error

    monkeypatch.setattr(os, "kill", kill)

    assert not keeper._exists(1)


ADDRESSES = """
    import pathlib
    import pytest

    @pytest.mark.parametrize("number", range(6))
    def test_one(fake_calendar, control, number):
        assert control.health()["status"] == "ok"
        with pathlib.Path("addresses").open("a") as file:
            file.write(fake_calendar.url.split("/w/")[0] + "\\n")
"""


@pytest.mark.skipif(not os.environ.get("FAKE_CALENDAR_COMMAND"), reason="FAKE_CALENDAR_COMMAND is not set")
class TestOwnServer:
    @pytest.fixture(autouse=True)
    def _without_address(self, monkeypatch):
        monkeypatch.delenv("FAKE_CALENDAR_URL", raising=False)

    @pytest.mark.parametrize("arguments", [[], ["-n", "2"]], ids=["one process", "two workers"])
    def test_a_run_has_one_server_which_ends_with_it(self, pytester, arguments):
        if arguments:
            pytest.importorskip("xdist")
        pytester.makepyfile(ADDRESSES)
        pytester.runpytest_subprocess(*arguments).assert_outcomes(passed=6)
        addresses = (pytester.path / "addresses").read_text().split()

        assert len(addresses) == 6
        assert len(set(addresses)) == 1
        wait_for_end(addresses[0])

    def test_the_report_of_a_failed_test_without_calls_names_the_world_that_got_some(self, pytester):
        pytester.makepyfile(
            """
            import urllib.request

            def test_none(fake_calendar):
                urllib.request.urlopen(fake_calendar.url.split("/w/")[0] + "/discovery/v1/apis/calendar/v3/rest").close()
                assert False

            def test_other_world(fake_calendar):
                url = fake_calendar.url.split("/w/")[0] + "/calendar/v3/colors"
                urllib.request.urlopen(urllib.request.Request(url, headers={"Authorization": "Bearer a"})).close()
                assert False
            """
        )
        result = pytester.runpytest_subprocess()

        result.stdout.fnmatch_lines(
            [
                "the journal of the failed test has no calls (the client sends a request when execute() is called)",
                "*- fake-calendar -*",
                "the journal of the failed test has no calls",
                "  The world default received colors.get.",
            ]
        )

    def test_the_control_token_is_sent(self, pytester, monkeypatch):
        monkeypatch.setenv("FAKE_CALENDAR_COMMAND", f"{os.environ['FAKE_CALENDAR_COMMAND']} --control-token secret")
        pytester.makepyfile("def test_one(control):\n    assert control.calls() == []")
        pytester.runpytest_subprocess().assert_outcomes(failed=1, errors=1)
        monkeypatch.setenv("FAKE_CALENDAR_CONTROL_TOKEN", "secret")

        pytester.runpytest_subprocess().assert_outcomes(passed=1)

    def test_a_run_that_uses_no_fixture_starts_no_server(self, pytester, monkeypatch):
        monkeypatch.setenv("FAKE_CALENDAR_COMMAND", "no-such-program")
        pytester.makepyfile("def test_one():\n    pass")

        pytester.runpytest_subprocess().assert_outcomes(passed=1)

    @pytest.mark.skipif(os.name != "posix", reason="the keeper needs a POSIX system")
    def test_the_server_ends_with_a_run_that_is_killed(self, pytester):
        file = pytester.makepyfile(
            """
            import os
            import pathlib
            import signal

            def test_one(fake_calendar, control):
                control.health()
                pathlib.Path("addresses").write_text(fake_calendar.url.split("/w/")[0])
                os.kill(os.getpid(), signal.SIGKILL)
            """
        )
        command = [sys.executable, "-m", "pytest", str(file)]
        ended = subprocess.run(command, cwd=pytester.path, capture_output=True, check=False)

        assert ended.returncode == -signal.SIGKILL
        wait_for_end((pytester.path / "addresses").read_text())


def wait_for_end(address):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"{address}/_control/health").close()
        except OSError:
            return
        time.sleep(0.05)
    raise AssertionError(f"{address} still answers")
