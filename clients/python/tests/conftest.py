import pytest

pytest_plugins = ["pytester"]


@pytest.fixture
def run_pytest(pytester, monkeypatch, fake_calendar):
    """Runs pytest on the text of a test file, against the server of this run, and returns the result."""
    monkeypatch.setenv("FAKE_CALENDAR_URL", fake_calendar.url)
    monkeypatch.setenv("FAKE_CALENDAR_CONTROL_TOKEN", fake_calendar.server.token)

    def run(text, *arguments):
        pytester.makepyfile(test_it=text)
        return pytester.runpytest_subprocess("-W", "ignore", *arguments)

    return run
