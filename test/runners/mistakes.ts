/**
 * A mistake of an author: a line of a test, a part of what a runner prints about it, and the lines before. `nodeTest` is the line
 * for node:test, whose assertions are functions; by default it derives from `line`. `python` is a like mistake with pytest, which
 * prints the same unless it has a text of its own.
 */
export type Mistake = {
  line: string
  printed: string
  before?: string
  nodeTest?: string
  /** True if it is a hint on a refused request. */
  isInReport?: true
  python: { line: string; printed?: string; before?: string }
}

const DINNER = "calendar.events.insert({ calendarId: 'primary', requestBody: { summary: 'Dinner', ...day } })"
const PYTHON_DINNER = 'calendar.events().insert(calendarId="primary", body={"summary": "Dinner", **day})'
const AFTER_DINNER = { before: `await ${DINNER}` }
const AFTER_PYTHON_DINNER = { before: `${PYTHON_DINNER}.execute()` }

const WATCH =
  "await calendar.events.watch({ calendarId: 'primary', requestBody: { id: 'mine', type: 'web_hook', address: 'https://app.example.com/' } })"
const PYTHON_WATCH =
  'calendar.events().watch(calendarId="primary", body={"id": "mine", "type": "web_hook", "address": "https://app.example.com/"}).execute()'

/** The first line of the spec of JavaScript that has no import. */
export const DAY = "const day = { start: { date: '2026-03-03' }, end: { date: '2026-03-04' } }"
export const PYTHON_DAY = 'day = {"start": {"date": "2026-03-03"}, "end": {"date": "2026-03-04"}}'

export const MISTAKES: readonly Mistake[] = [
  // Names of methods and fields
  {
    line: "expect(fake).toHaveReceived('event.insert')",
    printed: 'there is no method "event.insert"; did you mean "events.insert"?',
    python: { line: 'control.calls.verify("event.insert")' },
  },
  {
    line: "expect(fake).toHaveReceived('events.create')",
    printed: 'did you mean "events.insert"?',
    python: { line: 'control.calls.verify("events.create")' },
  },
  {
    line: "expect(fake).toHaveReceived('events.insert', { bdy: {} })",
    printed: 'there is no "bdy"; did you mean "body"?',
    python: { line: 'control.calls.verify("events.insert", {"bdy": {}})' },
  },
  {
    line: "expect(fake).toHaveEvent({ sumary: 'Dinner' })",
    printed: 'there is no "sumary"; did you mean "summary"?',
    ...AFTER_DINNER,
    python: { line: 'control.diff.verify([{"kind": "event", "where": {"sumary": "Dinner"}}])', ...AFTER_PYTHON_DINNER },
  },
  {
    line: "expect(fake).toHaveEvent({}, { acount: 'bob@example.com' })",
    printed: 'there is no "acount"; did you mean "account"?',
    python: { line: 'control.calls.verify("events.insert", acount="bob@example.com")' },
  },
  {
    line: "expect(fake).toHaveSent({ too: 'bob@example.com' })",
    printed: 'there is no "too"; did you mean "to"?',
    python: { line: 'control.mails()', printed: 'there is no function "mails"; did you mean "mail"?' },
  },
  {
    line: "expect(fake).toHaveChanged([{ change: 'created' }])",
    printed: 'change: there is no "created"; did you mean "added"?',
    python: { line: 'control.diff.verify([{"change": "created"}])' },
  },
  {
    line: 'expect(fake).toHaveEvent({}, { times: { mn: 1 } })',
    printed: 'times: give a number, or min, max or both',
    python: {
      line: 'control.calls.verify("events.insert", times={"mn": 1})',
      printed: 'there is no "mn"; did you mean "min"?',
    },
  },
  {
    line: "fake.faults.add({ on: 'events.lst', do: { fail: 'notFound' } })",
    printed: 'did you mean "events.list"?',
    python: { line: 'control.faults.add(on="events.lst", do={"fail": "notFound"})' },
  },
  {
    line: "fake.faults.add({ on: 'events.list', do: { fail: 'syncTokenExpired' } })",
    printed: 'did you mean "fullSyncRequired"?',
    python: { line: 'control.faults.add(on="events.list", do={"fail": "syncTokenExpired"})' },
  },
  {
    line: "fake.faults.add({ on: 'events.list', do: {} })",
    printed: 'give an effect, such as fail, status, delay or hang',
    python: { line: 'control.faults.add(on="events.list", do={})' },
  },
  {
    line: "fake.faults.add({ method: 'events.list', do: { fail: 'notFound' } })",
    printed: 'there is no "method"; did you mean "on"?',
    python: { line: 'control.faults.add(method="events.list", do={"fail": "notFound"})' },
  },
  {
    line: "fake.clock.advance('soon')",
    printed: 'by: not a duration: soon',
    python: { line: 'control.clock.advance("soon")' },
  },
  {
    line: "fake.clock.set('tomorrow')",
    printed: 'not an instant: tomorrow',
    python: { line: 'control.clock.set("tomorrow")' },
  },
  {
    line: "fake.restore('none')",
    printed: 'there is no snapshot "none"',
    python: { line: 'control.restore("none")' },
  },
  {
    line: 'fake.seed({ acounts: [] })',
    printed: 'there is no "acounts"; did you mean "accounts"?',
    python: { line: 'control.seed(acounts=[])' },
  },
  {
    line: "fake.oauth.mint({ user: 'alice@example.com' })",
    printed: 'there is no "user"; did you mean "account"?',
    python: { line: 'control.oauth.mint(user="alice@example.com")' },
  },
  {
    line: "fake.oauth.revoke('alice')",
    printed: 'neither an address nor a token of this world: alice',
    python: { line: 'control.oauth.revoke("alice")' },
  },
  {
    line: "fake.notifications.drop({ channel: 'mine' })",
    printed: 'there is no "channel"; did you mean "channelId"?',
    python: { line: 'control.notifications.drop(channel="mine")' },
  },
  {
    line: "fake.calls('events.list', { user: 'alice@example.com' })",
    printed: 'there is no "user"; did you mean "account"?',
    python: { line: 'control.calls("events.list", user="alice@example.com")' },
  },
  {
    line: 'fake.quota({ perSecond: 1 })',
    printed: 'there is no "perSecond"',
    python: { line: 'control.quota(perSecond=1)' },
  },
  {
    line: "createFakeCalendar({ seeed: 'team' })",
    printed: 'createFakeCalendar has no option "seeed"; did you mean "seed"?',
    python: {
      line: 'control.clok.advance("1h")',
      printed: 'there is no function "clok.advance"; did you mean "clock.advance"?',
    },
  },
  {
    line: "createFakeCalendar({ now: 'now' })",
    printed: 'not an instant: now',
    python: {
      line: 'control.clock.set(datetime.datetime(2026, 3, 2))',
      printed: '2026-03-02T00:00:00 has no time zone: give a tzinfo',
    },
  },
  {
    line: "createFakeCalendar().world('a b')",
    printed: 'a b',
    python: { line: 'control.fork("none", "blue")', printed: 'there is no snapshot "none"' },
  },
  {
    line: 'intercept({})',
    printed: 'fake: not a fake',
    python: {
      line: 'control.calls.verify("events.insert", {"body": {1}})',
      printed: 'a set cannot be sent to the fake: {1}',
    },
  },

  // Expectations that are not met
  {
    line: "expect(fake).toHaveReceived('events.insert')",
    printed: 'expected at least 1 call of events.insert; there is no such call',
    python: { line: 'control.calls.verify("events.insert")' },
  },
  {
    line: "expect(fake).toHaveReceived('events.insert', { body: { summary: 'Diner' } })",
    printed: 'body.summary: expected "Diner", got "Dinner"',
    ...AFTER_DINNER,
    python: { line: 'control.calls.verify("events.insert", {"body": {"summary": "Diner"}})', ...AFTER_PYTHON_DINNER },
  },
  {
    line: "expect(fake).toHaveReceived('events.insert', {}, { times: 2 })",
    printed: 'expected 2 calls of events.insert; there is 1 such call',
    ...AFTER_DINNER,
    python: { line: 'control.calls.verify("events.insert", times=2)', ...AFTER_PYTHON_DINNER },
  },
  {
    line: "expect(fake).not.toHaveReceived('events.insert')",
    nodeTest: "assertReceived(fake, 'events.insert', {}, { times: 0 })",
    printed: 'expected no call of events.insert; there is 1 such call',
    ...AFTER_DINNER,
    python: { line: 'control.calls.verify("events.insert", times=0)', ...AFTER_PYTHON_DINNER },
  },
  {
    line: "expect(fake).toHaveReceived('events.insert', {}, { account: 'bob@example.com' })",
    printed: 'Called were events.insert.',
    ...AFTER_DINNER,
    python: { line: 'control.calls.verify("events.insert", account="bob@example.com")', ...AFTER_PYTHON_DINNER },
  },
  {
    line: "expect(fake).toHaveEvent({ summary: 'Diner' })",
    printed: 'summary: expected "Diner", got "Dinner"',
    ...AFTER_DINNER,
    python: { line: 'control.diff.verify([{"where": {"summary": "Diner"}}])', ...AFTER_PYTHON_DINNER },
  },
  {
    line: "expect(fake).toHaveEvent({ summary: 'Dinner' }, { times: 2 })",
    printed: 'there is 1',
    ...AFTER_DINNER,
    python: { line: 'control.diff.verify([{"where": {"summary": "Dinner"}, "times": 2}])', ...AFTER_PYTHON_DINNER },
  },
  {
    line: "expect(fake).not.toHaveEvent({ summary: 'Dinner' })",
    nodeTest: "assertEvent(fake, { summary: 'Dinner' }, { times: 0 })",
    printed: 'expected no event with {"summary":"Dinner"}; there is 1 event',
    ...AFTER_DINNER,
    python: {
      line: 'control.diff.verify([{"kind": "event", "times": 0}])',
      printed: 'expected no other change; there is 1 other change',
      ...AFTER_PYTHON_DINNER,
    },
  },
  {
    line: "expect(fake).toHaveSent({ to: 'bob@example.com' })",
    printed: 'expected at least 1 mail with {"to":"bob@example.com"}; there is no mail',
    python: {
      line: 'assert control.mail("bob@example.com")',
      printed: "[] = <function control.mail>('bob@example.com')",
    },
  },
  {
    line: 'expect(fake).toHaveChanged([])',
    printed: 'expected no other change; there is 1 other change',
    ...AFTER_DINNER,
    python: { line: 'control.diff.verify([])', ...AFTER_PYTHON_DINNER },
  },
  {
    line: "expect(fake).toHaveChanged([{ where: { summary: 'Diner' } }])",
    printed: 'where.summary: expected "Diner", got "Dinner"',
    ...AFTER_DINNER,
    python: { line: 'control.diff.verify([{"where": {"summary": "Diner"}}])', ...AFTER_PYTHON_DINNER },
  },
  {
    line: "fake.faults.add({ on: 'colors.get', do: { fail: 'notFound' } }); fake.faults.verify()",
    printed: 'expected fault-1 (colors.get: notFound) to fire once; it never fired',
    python: { line: 'control.faults.add(on="colors.get", do={"fail": "notFound"}); control.faults.verify()' },
  },

  {
    line: "fake.faults.add({ on: 'colors.get', do: { fail: 'notFound' } }); fake.faults.verify()",
    printed: 'events.insert of alice@example.com calendarId=primary',
    ...AFTER_DINNER,
    python: {
      line: 'control.faults.add(on="colors.get", do={"fail": "notFound"}); control.faults.verify()',
      ...AFTER_PYTHON_DINNER,
    },
  },
  {
    line: "expect(fake).toHaveSent({ to: 'bob@example.com' })",
    printed: 'calendarId=primary, has no sendUpdates, so it mailed none of its guests: add sendUpdates=all',
    before: `await ${DINNER.replace('...day', "attendees: [{ email: 'bob@example.com' }], ...day")}`,
    python: {
      line: 'control.mail.until("bob@example.com", timeout=1)',
      before: `${PYTHON_DINNER.replace('**day', '"attendees": [{"email": "bob@example.com"}], **day')}.execute()`,
    },
  },
  {
    line: "await fake.notifications.until('mien')",
    printed: 'there is no channel "mien"; there is mine',
    before: WATCH,
    python: { line: 'control.notifications.until("mien")', before: PYTHON_WATCH },
  },
  {
    line: "await fake.notifications.until('mine')",
    printed: 'channel mine: 1 message is withheld: The address is not on this machine.',
    before: WATCH,
    python: { line: 'control.notifications.until("mine")', before: PYTHON_WATCH },
  },

  // Other worlds, and promises
  {
    line: 'expect(calendar).toHaveEvent({})',
    printed: 'expected a fake or one of its worlds, got',
    python: {
      line: 'assert control.calls.verify',
      printed: 'control.calls.verify is not called: write control.calls.verify()',
    },
  },
  {
    line: "expect(fake).toHaveReceived('events.insert')",
    printed: '1 call is in flight: POST /calendar/v3/calendars/primary/events (is an await missing?)',
    before: `void ${DINNER}`,
    python: {
      line: 'control.calls.verify("events.insert")',
      printed: 'the client sends a request when execute() is called',
      before: PYTHON_DINNER,
    },
  },
  {
    line: "expect(fake).toHaveEvent({ summary: 'Dinner' })",
    printed: '1 call is in flight: POST /calendar/v3/calendars/primary/events (is an await missing?)',
    before: `void ${DINNER}`,
    python: {
      line: 'control.diff.verify([{"where": {"summary": "Dinner"}}])',
      printed: 'the client sends a request when execute() is called',
      before: PYTHON_DINNER,
    },
  },
  // With pytest, the report of later tests without calls names the world of this call.
  {
    line: "expect(other.world('blue')).toHaveReceived('events.insert')",
    printed: 'The world default received colors.get.',
    before:
      "const other = createFakeCalendar(); await other.request('/calendar/v3/colors', { headers: { Authorization: 'Bearer alice@example.com' } })",
    python: {
      line: 'control.calls.verify("events.insert")',
      printed: 'The world default received ',
      before:
        'urllib.request.urlopen(urllib.request.Request(fake_calendar.url.split("/w/")[0] + "/calendar/v3/colors", headers={"Authorization": "Bearer alice@example.com"}))',
    },
  },
  {
    line: 'expect(fake).toHaveEvent({ summary: Promise.resolve(1) })',
    printed: 'a Promise cannot be matched with: add await',
    python: {
      line: `control.calls.verify("events.insert", {"body": ${PYTHON_DINNER}})`,
      printed: 'a HttpRequest cannot be sent to the fake',
    },
  },
  {
    line: 'expect(Promise.resolve(fake)).toHaveEvent({})',
    printed: 'expected a fake or one of its worlds, got a Promise: add await',
    python: { line: 'assert control.mail == []', printed: 'assert <function control.mail> == []' },
  },

  // Refused requests
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { start: { dateTime: '2026-03-02T09:00:00' }, end: { dateTime: '2026-03-02T10:00:00' } } })",
    isInReport: true,
    printed: 'FC205 start.dateTime=2026-03-02T09:00:00',
    python: {
      line: 'calendar.events().insert(calendarId="primary", body={"start": {"dateTime": "2026-03-02T09:00:00"}, "end": {"dateTime": "2026-03-02T10:00:00"}}).execute()',
    },
  },
  {
    line: "await calendar.events.list({ calendarId: 'primary', timeMin: '2026-03-02' })",
    isInReport: true,
    printed: 'FC101 timeMin=2026-03-02 needs a time and an offset',
    python: { line: 'calendar.events().list(calendarId="primary", timeMin="2026-03-02").execute()' },
  },
  {
    line: "await calendar.events.list({ calendarId: 'primary', orderBy: 'startTime' })",
    isInReport: true,
    printed: 'FC105',
    python: { line: 'calendar.events().list(calendarId="primary", orderBy="startTime").execute()' },
  },
  {
    line: "await calendarFor('bob@example.com').events.list({ calendarId: 'alice@example.com' })",
    isInReport: true,
    printed: 'FC301',
    python: { line: 'fake_calendar.client("bob@example.com").events().list(calendarId="alice@example.com").execute()' },
  },
  {
    line: "await calendar.events.list({ calendarId: 'teem@example.com' })",
    isInReport: true,
    printed: 'FC303',
    python: { line: 'calendar.events().list(calendarId="teem@example.com").execute()' },
  },
  {
    line: "await calendar.events.list({ calendarId: 'primary', syncToken: 'lost' })",
    isInReport: true,
    printed: 'FC107',
    python: { line: 'calendar.events().list(calendarId="primary", syncToken="lost").execute()' },
  },
  {
    line: "await calendar.events.update({ calendarId: 'primary', eventId: 'dinner', requestBody: day }, { headers: { 'If-Match': '\"1\"' } })",
    isInReport: true,
    printed: 'FC309',
    before: "await calendar.events.insert({ calendarId: 'primary', requestBody: { id: 'dinner', ...day } })",
    python: {
      line: 'request = calendar.events().update(calendarId="primary", eventId="dinner", body=day); request.headers["If-Match"] = \'"1"\'; request.execute()',
      before: 'calendar.events().insert(calendarId="primary", body={"id": "dinner", **day}).execute()',
    },
  },

  // Refused ids, times, addresses, and names of seeds
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { id: 'Dinner-1', ...day } })",
    isInReport: true,
    printed: 'FC214 id=Dinner-1 has characters that ids lack: D-. Write id=dinner1',
    python: { line: 'calendar.events().insert(calendarId="primary", body={"id": "Dinner-1", **day}).execute()' },
  },
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { id: 'abcd', ...day } })",
    isInReport: true,
    printed: 'FC214 id=abcd has 4 characters',
    python: { line: 'calendar.events().insert(calendarId="primary", body={"id": "abcd", **day}).execute()' },
  },
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { start: day.start, end: day.start } })",
    isInReport: true,
    printed: 'Write end.date=2026-03-04',
    python: {
      line: 'calendar.events().insert(calendarId="primary", body={"start": day["start"], "end": day["start"]}).execute()',
    },
  },
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { start: day.end, end: day.start } })",
    isInReport: true,
    printed: 'The end 2026-03-03 is before the start 2026-03-04',
    python: {
      line: 'calendar.events().insert(calendarId="primary", body={"start": day["end"], "end": day["start"]}).execute()',
    },
  },
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { attendees: [{ email: 'Bob <bob@example.com>' }], ...day } })",
    isInReport: true,
    printed: 'Write attendees[0].email=bob@example.com and displayName=Bob',
    python: {
      line: 'calendar.events().insert(calendarId="primary", body={"attendees": [{"email": "Bob <bob@example.com>"}], **day}).execute()',
    },
  },
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { attendees: ['bob@example.com'], ...day } })",
    isInReport: true,
    printed: 'FC210 attendees[0] cannot have this value. Send an object',
    python: {
      line: 'calendar.events().insert(calendarId="primary", body={"attendees": ["bob@example.com"], **day}).execute()',
    },
  },
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { start: day.start, end: { dateTime: '2026-03-03T10:00:00Z' } } })",
    isInReport: true,
    printed: 'FC206 start and end have different forms',
    python: {
      line: 'calendar.events().insert(calendarId="primary", body={"start": day["start"], "end": {"dateTime": "2026-03-03T10:00:00Z"}}).execute()',
    },
  },
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { recurrence: ['FREQ=DAILY'], ...day } })",
    isInReport: true,
    printed: 'FC208 recurrence cannot be FREQ=DAILY. Write lines such as RRULE:',
    python: {
      line: 'calendar.events().insert(calendarId="primary", body={"recurrence": ["FREQ=DAILY"], **day}).execute()',
    },
  },
  {
    line: "await calendar.events.insert({ calendarId: 'primary', requestBody: { colorId: 'tomato', ...day } })",
    isInReport: true,
    printed: 'FC213 colorId: no color tomato',
    python: { line: 'calendar.events().insert(calendarId="primary", body={"colorId": "tomato", **day}).execute()' },
  },
  {
    line: "await calendar.events.get({ calendarId: 'primary', eventId: 'nothing' })",
    isInReport: true,
    printed: 'FC310 No calendar has an event nothing',
    python: { line: 'calendar.events().get(calendarId="primary", eventId="nothing").execute()' },
  },
  {
    line: "await calendar.events.get({ calendarId: 'primary', eventId: 'diner' })",
    isInReport: true,
    printed: 'FC310 No calendar has an event diner. Did you mean dinner?',
    before: `await ${DINNER.replace('{ summary', "{ id: 'dinner', summary")}`,
    python: {
      line: 'calendar.events().get(calendarId="primary", eventId="diner").execute()',
      before: `${PYTHON_DINNER.replace('{"summary"', '{"id": "dinner", "summary"')}.execute()`,
    },
  },
  {
    line: "await calendarFor('bob@example.com').events.get({ calendarId: 'primary', eventId: 'dinner' })",
    isInReport: true,
    printed: 'FC304 dinner is an event of alice@example.com',
    before: `await ${DINNER.replace('{ summary', "{ id: 'dinner', summary")}`,
    python: {
      line: 'fake_calendar.client("bob@example.com").events().get(calendarId="primary", eventId="dinner").execute()',
      before: `${PYTHON_DINNER.replace('{"summary"', '{"id": "dinner", "summary"')}.execute()`,
    },
  },
  {
    line: "await calendar.events.list({ calendarId: 'dave@example.org' })",
    isInReport: true,
    printed: 'no seed has the account, and no request was sent as it',
    python: { line: 'calendar.events().list(calendarId="dave@example.org").execute()' },
  },
  {
    line: "await calendarFor('alice@exmaple.com').events.get({ calendarId: 'primary', eventId: 'nothing' })",
    isInReport: true,
    printed: 'FC312 alice@exmaple.com was no account before this request. Did you mean alice@example.com?',
    python: {
      line: 'fake_calendar.client("alice@exmaple.com").events().get(calendarId="primary", eventId="nothing").execute()',
    },
  },
  {
    line: "await calendar.events.list({ calendarId: 'primary', timeMin: '2026-03-03T00:00:00Z', timeMax: '2026-03-02T00:00:00Z' })",
    isInReport: true,
    printed: 'FC110 timeMax is not after timeMin',
    python: {
      line: 'calendar.events().list(calendarId="primary", timeMin="2026-03-03T00:00:00Z", timeMax="2026-03-02T00:00:00Z").execute()',
    },
  },
  {
    line: "await calendar.events.list({ calendarId: 'primary', orderBy: 'start' })",
    isInReport: true,
    printed: 'FC104 orderBy cannot be start. Did you mean startTime?',
    python: {
      line: 'calendar.events().list(calendarId="primary", orderBy="updated", pageToken="2").execute()',
      printed: 'FC107 pageToken is not a valid token of this list',
    },
  },
  {
    line: "fake.seed({ accounts: [{ mail: 'bob@example.com' }] })",
    printed: 'accounts[0]: there is no "mail"; did you mean "email"?',
    python: { line: 'control.seed(accounts=[{"mail": "bob@example.com"}])' },
  },
  {
    line: 'fake.seed({ users: [] })',
    printed: 'there is no "users"; did you mean "accounts"?',
    python: { line: 'control.seed(users=[])' },
  },
  {
    line: "fake.seed({ accounts: [{ email: 'bob' }] })",
    printed: 'accounts[0].email: expected an address, such as alice@example.com; got "bob"',
    python: { line: 'control.seed(accounts=[{"email": "bob"}])' },
  },
  {
    line: "fake.seed({ accounts: ['bob@example.com'] })",
    printed: 'accounts[0]: expected an object; got "bob@example.com"',
    python: { line: 'control.seed(accounts=["bob@example.com"])' },
  },
  {
    line: "fake.seed({ calendars: [{ id: 'alice@example.com', events: [{ title: 'Dinner', ...day }] }] })",
    printed: 'calendars[0].events[0]: there is no "title"; did you mean "summary"?',
    python: { line: 'control.seed(calendars=[{"id": "alice@example.com", "events": [{"title": "Dinner", **day}]}])' },
  },
  {
    line: "createFakeCalendar({ seed: 'teem' })",
    printed: 'there is no demo world "teem"; did you mean "team"?',
    python: { line: 'control.replace("teem")', printed: 'body: expected an object; got "teem"' },
  },
  {
    line: "createFakeCalendar({ fixture: 'team' })",
    printed: 'createFakeCalendar has no option "fixture"; did you mean "seed"?',
    python: {
      line: 'control.faults.add(on="events.list", do={"fail": "rateLimitExceeded403"})',
      printed: 'did you mean "rateLimitExceeded"?',
    },
  },
  {
    line: "fake.faults.add({ on: 'events.list', status: 503 })",
    printed: 'there is no "status"; did you mean "do"?',
    python: { line: 'control.faults.add(on="events.list", status=503)' },
  },
  {
    line: "expect(fake).toHaveReceived('events.insert', { summary: 'Dinner' })",
    printed: 'there is no "summary"; did you mean "body"?',
    python: { line: 'control.calls.verify("events.insert", {"summary": "Dinner"})' },
  },
  {
    line: "await fake.mail.until('bob@example.com', 1, { timeout: 1 })",
    printed: 'mail to bob@example.com: 0 of 1 were sent in time',
    python: { line: 'control.mail.until("bob@example.com", timeout=1)' },
  },
  {
    line: "await fake.calls.until('events.insert', 1, { timeout: 1 })",
    printed: 'events.insert: 0 of 1 calls arrived in time',
    python: { line: 'control.calls.until("events.insert", timeout=1)' },
  },
  {
    line: "await fake.notifications.until('mine', 1, { timeout: 1 })",
    printed: 'and there is no channel',
    python: { line: 'control.notifications.until("mine", timeout=1)' },
  },
]
