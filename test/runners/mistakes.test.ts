import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, run } from '../support/command.ts'

const DINNER = "calendar.events.insert({ calendarId: 'primary', requestBody: { summary: 'Dinner', ...day } })"

/** Mistakes of authors: the line with the mistake, what is printed about it, and the lines before. */
const MISTAKES: readonly [line: string, printed: string, before?: string][] = [
  ["expect(fake).toHaveReceived('event.insert')", 'there is no method "event.insert"; did you mean "events.insert"?'],
  ["expect(fake).toHaveReceived('events.create')", 'did you mean "events.insert"?'],
  ["expect(fake).toHaveReceived('events.insert')", 'expected at least 1 call of events.insert; there is no such call'],
  [
    "expect(fake).toHaveReceived('events.insert', { body: { summary: 'Diner' } })",
    'body.summary: expected "Diner", got "Dinner"',
    `await ${DINNER}`,
  ],
  ["expect(fake).toHaveReceived('events.insert', { bdy: {} })", 'there is no "bdy"; did you mean "body"?'],
  [
    "expect(fake).toHaveReceived('events.insert', {}, { times: 2 })",
    'expected 2 calls of events.insert; there is 1 such call',
    `await ${DINNER}`,
  ],
  [
    "expect(fake).toHaveReceived('events.insert')",
    'expected at least 1 call of events.insert; there is no such call',
    `void ${DINNER}`,
  ],
  [
    "expect(fake).not.toHaveReceived('events.insert')",
    'expected no call of events.insert; there is 1 such call',
    `await ${DINNER}`,
  ],
  ["expect(fake).toHaveEvent({ summary: 'Diner' })", 'summary: expected "Diner", got "Dinner"', `await ${DINNER}`],
  ["expect(fake).toHaveEvent({ sumary: 'Dinner' })", 'did you mean "summary"', `await ${DINNER}`],
  [
    "expect(fake).toHaveEvent({ summary: 'Dinner' }, { times: 2 })",
    'expected 2 events with {"summary":"Dinner"}; there is 1 event',
    `await ${DINNER}`,
  ],
  [
    "expect(fake).not.toHaveEvent({ summary: 'Dinner' })",
    'expected no event with {"summary":"Dinner"}; there is 1 event',
    `await ${DINNER}`,
  ],
  ['expect(fake).toHaveEvent({}, { times: { mn: 1 } })', 'times: give a number, or min, max or both'],
  ["expect(fake).toHaveEvent({}, { acount: 'bob@example.com' })", 'did you mean "account"'],
  ['expect(calendar).toHaveEvent({})', 'expected a fake or one of its worlds'],
  ['expect(fake).toHaveEvent({ summary: Promise.resolve(1) })', 'a Promise cannot be matched with'],
  [
    "expect(fake).toHaveSent({ to: 'bob@example.com' })",
    'expected at least 1 mail with {"to":"bob@example.com"}; there is no mail',
  ],
  ["expect(fake).toHaveSent({ too: 'bob@example.com' })", 'did you mean "to"'],
  ['expect(fake).toHaveChanged([])', 'expected no other change; there is 1 other change', `await ${DINNER}`],
  ["expect(fake).toHaveChanged([{ change: 'created' }])", 'expected one of "added"|"changed"|"deleted"'],
  [
    "expect(fake).toHaveChanged([{ where: { summary: 'Diner' } }])",
    'where.summary: expected "Diner", got "Dinner"',
    `await ${DINNER}`,
  ],
  ["fake.faults.add({ on: 'events.lst', do: { fail: 'notFound' } })", 'did you mean "events.list"?'],
  ["fake.faults.add({ on: 'events.list', do: { fail: 'syncTokenExpired' } })", 'did you mean "fullSyncRequired"?'],
  ["fake.faults.add({ on: 'events.list', do: {} })", 'give an effect, such as fail, status, delay or hang'],
  ["fake.faults.add({ method: 'events.list', do: { fail: 'notFound' } })", 'there is no "method"; did you mean "on"?'],
  [
    "fake.faults.add({ on: 'colors.get', do: { fail: 'notFound' } }); fake.faults.verify()",
    'expected fault-1 (colors.get: notFound) to fire once; it never fired',
  ],
  ["fake.clock.advance('soon')", 'by: not a duration: soon'],
  ["fake.clock.set('tomorrow')", 'not an instant: tomorrow'],
  ["fake.restore('none')", 'there is no snapshot "none"'],
  ['fake.seed({ acounts: [] })', 'Unrecognized key: "acounts"'],
  ["fake.oauth.mint({ user: 'alice@example.com' })", 'there is no "user"; did you mean "account"?'],
  ["fake.oauth.revoke('alice')", 'neither an address nor a token of this world: alice'],
  ["fake.notifications.drop({ channel: 'mine' })", 'there is no "channel"; did you mean "channelId"?'],
  ["fake.calls('events.list', { user: 'alice@example.com' })", 'there is no "user"; did you mean "account"?'],
  ['fake.quota({ perSecond: 1 })', 'there is no "perSecond"'],
  ["createFakeCalendar({ seeed: 'team' })", 'createFakeCalendar has no option "seeed"; did you mean "seed"?'],
  ["createFakeCalendar({ now: 'now' })", 'not an instant: now'],
  ["createFakeCalendar().world('a b')", 'a b'],
  ['intercept({})', 'fake: not a fake'],
  [
    "await calendar.events.insert({ calendarId: 'primary', requestBody: { start: { dateTime: '2026-03-02T09:00:00' }, end: { dateTime: '2026-03-02T10:00:00' } } })",
    'FC205 start.dateTime=2026-03-02T09:00:00',
  ],
  [
    "await calendar.events.list({ calendarId: 'primary', timeMin: '2026-03-02' })",
    'FC101 timeMin=2026-03-02 needs a time and an offset',
  ],
  ["await calendar.events.list({ calendarId: 'primary', orderBy: 'startTime' })", 'FC105'],
  ["await calendarFor('bob@example.com').events.list({ calendarId: 'alice@example.com' })", 'FC301'],
  ["await calendar.events.list({ calendarId: 'teem@example.com' })", 'FC303'],
  ["await calendar.events.list({ calendarId: 'primary', syncToken: 'lost' })", 'FC107'],
  [
    "await calendar.events.update({ calendarId: 'primary', eventId: 'dinner', requestBody: day }, { headers: { 'If-Match': '\"1\"' } })",
    'events.update alice@example.com 412 reason=conditionNotMet',
    "await calendar.events.insert({ calendarId: 'primary', requestBody: { id: 'dinner', ...day } })",
  ],
]

const SPEC = [
  "import { createFakeCalendar } from 'fake-calendar'",
  "import { intercept } from 'fake-calendar/intercept'",
  "import { expect, test } from 'fake-calendar/vitest'",
  "const day = { start: { date: '2026-03-03' }, end: { date: '2026-03-04' } }",
  ...MISTAKES.map(
    ([line, , before = ''], at) =>
      `test('mistake ${at}.', async ({ fake, calendar, calendarFor }) => {\n  ${before}\n  ${line}\n})`,
  ),
].join('\n')

const folder = mkdtempSync(join(ROOT, 'test', '.mistakes-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('vitest', () => {
  let printed = ''
  beforeAll(async () => {
    writeFileSync(join(folder, 'mistakes.spec.js'), SPEC)
    writeFileSync(join(folder, 'vitest.config.js'), "export default { test: { include: ['*.spec.js'] } }")
    const { stdout, stderr } = await run(['run', '--root', folder, '--reporter=default'], {
      command: join(ROOT, 'node_modules', '.bin', 'vitest'),
      env: { NO_COLOR: '1', CI: '' },
    })
    printed = `${stdout}${stderr}`
  })

  /** Returns what a test printed: its report, and its error with the lines around it. */
  const partsOf = (at: number): string =>
    printed
      .split(/^(?=stderr \| | FAIL |⎯)/m)
      .filter((part) => part.split('\n', 1)[0]?.includes(`mistake ${at}.`))
      .join('\n')

  test.each(MISTAKES.map(([line, text], at) => ({ line, text, at })))('$line', ({ line, text, at }) => {
    const parts = partsOf(at)
    expect(parts.split('\n').filter((one) => one.includes(text)).length, parts).toBeGreaterThan(0)
    // The first frame is the author's: the marker points to the line, which is shown whole or from its beginning.
    expect(/❯ mistakes\.spec\.js:\d+:\d+\n(?:.*\n)*? +\d+\| +(.*)\n +\|? *\|? *\^/.exec(parts)?.[1] ?? parts).toContain(
      line.slice(0, 40),
    )
  })
})
