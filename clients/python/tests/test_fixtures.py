import datetime
import json
import re
import urllib.request

import pytest

ALICE = "alice@example.com"
BOB = "bob@example.com"
SCOPES = ["https://www.googleapis.com/auth/calendar"]


def titles(calendar):
    return [event["summary"] for event in calendar.events().list(calendarId="primary").execute()["items"]]


@pytest.mark.parametrize("title", ["Lunch", "Dinner", "Supper", "Tea"])
def test_each_test_has_a_world_of_its_own(calendar, title):
    calendar.events().quickAdd(calendarId="primary", text=title).execute()

    assert titles(calendar) == [title]


def test_a_batch_stays_in_the_world(fake_calendar, calendar):
    added = []
    batch = calendar.new_batch_http_request(callback=lambda _, event, error: added.append(error or event["summary"]))
    for title in ("Lunch", "Dinner"):
        batch.add(calendar.events().quickAdd(calendarId="primary", text=title))
    batch.execute()

    assert added == ["Lunch", "Dinner"]
    assert sorted(titles(fake_calendar.client())) == ["Dinner", "Lunch"]


@pytest.mark.fake_calendar(seed="team", now="2026-03-02T09:00:00Z", account="dana@example.com")
class TestMarker:
    def test_it_selects_seed_time_and_account(self, fake_calendar, calendar, control):
        names = [entry.get("summaryOverride") for entry in calendar.calendarList().list().execute()["items"]]

        assert "Trails!" in names
        assert control.clock.now() == "2026-03-02T09:00:00.000Z"
        assert fake_calendar.account == "dana@example.com"

    @pytest.mark.fake_calendar(now="2026-05-04T09:00:00Z")
    def test_the_closest_one_counts(self, fake_calendar, control):
        assert control.clock.now() == "2026-05-04T09:00:00.000Z"
        assert fake_calendar.account == ALICE


@pytest.mark.fake_calendar(seed=["company", {"accounts": [{"email": "new@example.com"}]}], now="2026-03-02T09:00:00Z")
def test_seeds_are_relative_to_the_frozen_time(fake_calendar, control):
    state = control.state()
    starts = [
        (event["start"].get("dateTime") or event["start"]["date"])[:7]
        for one in state["calendars"]
        for event in one.get("events", [])
        if "recurrence" not in event
    ]

    assert "2026-03" in starts
    assert max(event["updated"] for one in state["calendars"] for event in one.get("events", [])) <= "2026-03-03"
    assert "new@example.com" in [account["email"] for account in state["accounts"]]


def test_other_accounts_have_clients(fake_calendar, calendar):
    event = {
        "summary": "Lunch",
        "start": {"dateTime": "2026-03-02T12:00:00Z"},
        "end": {"dateTime": "2026-03-02T13:00:00Z"},
        "attendees": [{"email": BOB}],
    }
    calendar.events().insert(calendarId="primary", body=event).execute()

    assert titles(fake_calendar.client(BOB)) == ["Lunch"]


def test_a_refresh_token_selects_the_world(fake_calendar, calendar):
    from google.oauth2.credentials import Credentials

    calendar.events().quickAdd(calendarId="primary", text="Lunch").execute()
    credentials = Credentials(
        None, refresh_token="1//any", token_uri=fake_calendar.token_uri, client_id="app", client_secret="hush"
    )

    assert titles(fake_calendar.client(credentials)) == ["Lunch"]
    assert credentials.token.startswith(f"{fake_calendar.world}~")
    # The token selects the world at the address of any world.
    request = urllib.request.Request(
        re.sub(r"/w/.*", "/calendar/v3/calendars/primary/events", fake_calendar.url),
        headers={"Authorization": f"Bearer {credentials.token}"},
    )
    with urllib.request.urlopen(request) as response:
        assert [event["summary"] for event in json.load(response)["items"]] == ["Lunch"]


def test_a_service_account_selects_the_world(fake_calendar, calendar, control):
    from google.oauth2 import service_account

    rsa = pytest.importorskip("rsa")
    calendar.events().quickAdd(calendarId="primary", text="Lunch").execute()
    key = {
        "client_email": "robot@project.iam.gserviceaccount.com",
        "private_key": rsa.newkeys(1024)[1].save_pkcs1().decode(),
        "token_uri": fake_calendar.token_uri,
    }
    credentials = service_account.Credentials.from_service_account_info(key, scopes=SCOPES, subject=ALICE)

    assert titles(fake_calendar.client(credentials)) == ["Lunch"]
    control.calls.verify("oauth.token", times=1)


def test_controls_have_the_names_and_arguments_of_the_reference(calendar, control):
    control.faults.add(on="events.list", do={"fail": "backendError"})
    with pytest.raises(Exception, match="Backend Error"):
        titles(calendar)
    control.clock.freeze("2026-03-02T09:00:00Z")
    control.clock.advance("1d")

    assert control.clock.now() == "2026-03-03T09:00:00.000Z"
    assert [call["method"] for call in control.calls()] == ["events.list"]
    assert control.calls(account=BOB) == []
    assert control.diff() == []
    assert control.mail() == []


def test_a_world_is_printed(calendar, control, capsys):
    calendar.events().quickAdd(calendarId="primary", text="Lunch").execute()
    text = control.print()

    assert " Lunch" in text
    assert capsys.readouterr().out == f"{text}\n"


def test_a_mail_is_read_as_a_message(fake_calendar, calendar, control):
    day = {"start": {"date": "2026-03-03"}, "end": {"date": "2026-03-04"}}
    body = {"summary": "Lunch", **day, "attendees": [{"email": BOB}]}
    calendar.events().insert(calendarId="primary", sendUpdates="all", body=body).execute()
    (mail,) = control.mail.until(BOB, 1)

    assert control.mail(BOB) == [mail]
    assert "Subject: " in control.mail.eml(mail["id"])
    with pytest.raises(ValueError, match="there is no mail 99"):
        control.mail.eml(99)


def test_fields_have_the_names_of_keywords(control):
    control.faults.add(on="events.list", do={"fail": "backendError"}, for_="1h", optional=True)

    assert control.faults.list()[0]["until"]


def test_patterns_and_times_can_be_sent(calendar, control):
    calendar.events().quickAdd(calendarId="primary", text="Lunch").execute()
    control.calls.verify("events.quickAdd", {"params": {"text": re.compile("^Lu")}}, times=1)
    control.clock.freeze(datetime.datetime(2026, 3, 2, 9, tzinfo=datetime.timezone.utc))

    with pytest.raises(AssertionError, match="text: expected"):
        control.calls.verify("events.quickAdd", {"params": {"text": re.compile("^Di")}})


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda control: control.clok.set(), 'there is no function "clok.set"; did you mean "clock.set"?'),
        (lambda control: control.faults.add(on="events.lst", do={"hang": True}), 'did you mean "events.list"?'),
        (lambda control: control.clock.set(datetime.datetime(2026, 3, 2)), "2026-03-02T00:00:00 has no time zone"),
        (lambda control: control.seed({"accounts": {1, 2}}), "a set cannot be sent to the fake: {1, 2}"),
        (
            lambda control: control.calls.verify("events.insert", {"body": {"sumary": "Lunch"}}, times=0),
            'where.body: there is no "sumary"; did you mean "summary"?',
        ),
        (lambda control: control.restore("none"), 'there is no snapshot "none"'),
    ],
)
def test_wrong_arguments_are_named(control, call, message):
    with pytest.raises(ValueError) as failure:
        call(control)

    assert message in str(failure.value)


def test_a_control_that_is_not_called_is_neither_true_nor_false(control):
    with pytest.raises(TypeError, match=r"control\.faults\.verify is not called: write control\.faults\.verify\(\)"):
        assert control.faults.verify
    assert repr(control.mail) == "<function control.mail>"
