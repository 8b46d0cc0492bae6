import { expect, test } from 'vitest'
import type { MethodPattern } from '../../src/control/request.ts'
import { assertChanged, assertEvent, assertReceived, assertSent } from '../../src/runners/assertions.ts'
import { matchers } from '../../src/runners/matchers.ts'
import { ALICE, BOB, hour, openCalendar } from '../support/calendar.ts'

type World = ReturnType<typeof openCalendar>['fake']

/** Assertions that no world can fail, or none can pass, because a name in them is wrong. Each expects nothing where it can. */
const LUNCH = { kind: 'event' } as const
const MISTAKES: readonly [string, (fake: World) => void, string | RegExp][] = [
  [
    'a field',
    (fake) => assertEvent(fake, { sumary: 'Lunch' }, { times: 0 }),
    'event: there is no "sumary"; did you mean "summary"?',
  ],
  [
    'a field of a time',
    (fake) => assertEvent(fake, { start: { datetime: '' } }, { times: 0 }),
    'event.start: there is no "datetime"; did you mean "dateTime"?',
  ],
  [
    'a field of a guest',
    (fake) => assertEvent(fake, { attendees: [{ emial: ALICE }] }, { times: 0 }),
    'event.attendees[0]: there is no "emial"; did you mean "email"?',
  ],
  [
    'a value of an enumeration',
    (fake) => assertEvent(fake, { transparency: 'transparant' }, { times: 0 }),
    'event.transparency: there is no "transparant"; did you mean "transparent"?',
  ],
  [
    'an option',
    (fake) => assertEvent(fake, { summary: 'Lunch' }, { acount: ALICE } as object),
    'filter: there is no "acount"; did you mean "account"?',
  ],
  [
    'a field of a mail',
    (fake) => assertSent(fake, { kindd: 'acl' } as object, { times: 0 }),
    'mail: there is no "kindd"; did you mean "kind"?',
  ],
  [
    'a kind of mail',
    (fake) => assertSent(fake, { kind: 'eventCreated' }, { times: 0 }),
    'mail.kind: there is no "eventCreated"; did you mean "eventCreation"?',
  ],
  [
    'an option of mails',
    (fake) => assertSent(fake, {}, { account: ALICE } as object),
    'filter: there is no "account"; did you mean "times"?',
  ],
  [
    'a field of a change',
    (fake) => assertChanged(fake, [{ kind: 'event' }, { kind: 'event', where: { sumary: '' }, times: 0 }]),
    '[1].where: there is no "sumary"; did you mean "summary"?',
  ],
  [
    'a changed field',
    (fake) => assertChanged(fake, [{ kind: 'event' }, { kind: 'event', fields: { 'strat.date': '' }, times: 0 }]),
    '[1].fields: there is no "strat"; did you mean "start"?',
  ],
  [
    'a number in place of the filter',
    (fake) => assertEvent(fake, {}, 2 as never),
    'filter: give an object, such as { times: 1 }',
  ],
  [
    'a number in place of the filter of calls',
    (fake) => assertReceived(fake, 'events.insert', {}, 2 as never),
    'filter: give an object, such as { times: 1 }',
  ],
  [
    'a number in place of the options of calls',
    (fake) => fake.calls.verify('events.insert', {}, 2 as never),
    'options: give an object, such as { times: 1 }',
  ],
  [
    'a number in place of the filter of mails',
    (fake) => assertSent(fake, {}, 2 as never),
    'filter: give an object, such as { times: 1 }',
  ],
  [
    'an account as an object',
    (fake) => assertEvent(fake, {}, { times: 0, account: { email: ALICE } } as object),
    'filter.account: give a text',
  ],
  [
    'the name of an account',
    (fake) => assertEvent(fake, {}, { times: 0, account: 'bob' }),
    'filter.account: give an address',
  ],
  [
    'a title in place of the fields',
    (fake) => assertEvent(fake, 'Lunch' as unknown as object, { times: 0 }),
    'event: give an object',
  ],
  ['no fields', (fake) => assertEvent(fake, undefined as unknown as object, { times: 0 }), 'event: give an object'],
  [
    'a list in place of the fields',
    (fake) => assertEvent(fake, [{ summary: 'Lunch' }], { times: 0 }),
    'event: give an object',
  ],
  ['an address in place of a mail', (fake) => assertSent(fake, ALICE as never, { times: 0 }), 'mail: give an object'],
  ['a list in place of an address', (fake) => assertSent(fake, { to: [ALICE] }, { times: 0 }), 'mail.to: give a text'],
  [
    'one guest in place of a list',
    (fake) => assertEvent(fake, { attendees: { email: ALICE } }, { times: 0 }),
    'event.attendees: give a list',
  ],
  [
    'an address in place of a guest',
    (fake) => assertEvent(fake, { attendees: [ALICE] }, { times: 0 }),
    'event.attendees[0]: give an object',
  ],
  [
    'a field of a contained guest',
    (fake) => assertEvent(fake, { attendees: { contains: { mail: ALICE } } }, { times: 0 }),
    'event.attendees.contains: there is no "mail"; did you mean "email"?',
  ],
  [
    'a pattern for a list',
    (fake) => assertEvent(fake, { attendees: /alice/ }, { times: 0 }),
    'event.attendees: a condition on a text cannot match a list',
  ],
  [
    'an object in place of a text',
    (fake) => assertEvent(fake, { summary: { equals: 'Lunch' } }, { times: 0 }),
    'event.summary: give a text or a number',
  ],
  [
    'a text in place of a time',
    (fake) => assertEvent(fake, { start: '2026-03-02T09:00:00Z' }, { times: 0 }),
    'event.start: give an object',
  ],
  [
    'a time without an offset',
    (fake) => assertEvent(fake, { start: { dateTime: '2026-03-02T09:00:00' } }, { times: 0 }),
    'event.start.dateTime: give a time with an offset',
  ],
  [
    'a time in place of a date',
    (fake) => assertEvent(fake, { start: { date: new Date(0) } }, { times: 0 }),
    'event.start.date: give a date, such as "2026-03-02"',
  ],
  [
    'a text in place of a flag',
    (fake) => assertEvent(fake, { reminders: { useDefault: 'false' } }, { times: 0 }),
    'event.reminders.useDefault: give true or false',
  ],
  [
    'NaN',
    (fake) => assertReceived(fake, 'events.insert', { body: { summary: Number.NaN } }, { times: 0 }),
    'NaN is no JSON value',
  ],
  [
    'a list in place of a changed resource',
    (fake) => assertChanged(fake, [{ kind: 'event' }, { kind: 'event', where: [], times: 0 }]),
    '[1].where: give an object',
  ],
  [
    'no number',
    (fake) => assertEvent(fake, { summary: 'Dinner' }, { times: {} }),
    'times: give a number, or min, max or both',
  ],
  [
    'a misspelled limit',
    (fake) => assertEvent(fake, { summary: 'Dinner' }, { times: { mni: 1 } as object }),
    'times: give a number, or min, max or both',
  ],
  [
    'a text for a number',
    (fake) => assertEvent(fake, { summary: 'Dinner' }, { times: '1' as unknown as number }),
    'times: give a number, or min, max or both',
  ],
  [
    'a text for a number of calls',
    (fake) => assertReceived(fake, 'events.insert', {}, { times: '0' as unknown as number }),
    'times',
  ],
  [
    'a text in place of a status',
    (fake) => fake.calls.verify('events.insert', { status: '200' }, { times: 0 }),
    'where.status: give a number',
  ],
  [
    'a list in place of an account of calls',
    (fake) => fake.calls.verify('events.insert', { account: [ALICE] }, { times: 0 }),
    'where.account: give a text',
  ],
  [
    'the name of an account of calls',
    (fake) => fake.calls.verify('events.insert', { account: 'alice' }, { times: 0 }),
    'where.account: give an address',
  ],
  [
    'the name of an account in the options of calls',
    (fake) => fake.calls.verify('events.insert', {}, { account: 'alice', times: 0 }),
    'account: give an address',
  ],
  ['the name of an account in a filter', (fake) => fake.calls('*', { account: 'alice' }), 'account: give an address'],
  [
    'a verb in lower case',
    (fake) => fake.calls.verify('events.insert', { verb: 'post' }, { times: 0 }),
    'where.verb: there is no "post"; did you mean "POST"?',
  ],
  [
    'a URL in place of a path',
    (fake) => fake.calls.verify('*', { path: 'https://www.googleapis.com/calendar/v3/colors' }, { times: 0 }),
    'where.path: give a path, such as "/calendar/v3/colors"',
  ],
  [
    'a text in place of parameters',
    (fake) => fake.calls.verify('events.insert', { params: 'sendUpdates=all' }, { times: 0 }),
    'where.params: give an object',
  ],
  [
    'the code of a hint in place of a hint',
    (fake) => fake.calls.verify('events.insert', { hints: ['FC102'] }, { times: 0 }),
    'where.hints[0]: give an object',
  ],
  [
    'an unknown hint',
    (fake) => fake.calls.verify('events.insert', { hints: [{ code: 'FC1020' }] }, { times: 0 }),
    'where.hints[0].code: there is no "FC1020"; did you mean "FC102"?',
  ],
  [
    'true in place of a batch',
    (fake) => fake.calls.verify('events.insert', { batch: true }, { times: 0 }),
    'where.batch: give a number',
  ],
  [
    'a fault that never existed',
    (fake) => fake.calls.verify('events.insert', { fault: 'fault-7' }, { times: 0 }),
    'where.fault: there was no fault "fault-7"',
  ],
  [
    'no number of calls',
    (fake) => fake.calls.verify('events.insert', {}, { times: {} }),
    /^times: give a number, or min, max or both/,
  ],
  [
    'a part of a body that is undefined',
    (fake) => fake.calls.verify('events.insert', { body: { attendees: [{ email: undefined }] } }, { times: 0 }),
    'where.body.attendees[0].email: is undefined; give null to expect no value',
  ],
  [
    'a part of an event that is undefined',
    (fake) => assertEvent(fake, { id: undefined }, { times: { max: 1 } }),
    'event.id: is undefined; give null to expect no value',
  ],
  [
    'a part of a mail that is undefined',
    (fake) => assertSent(fake, { to: undefined }, { times: 0 }),
    'mail.to: is undefined; give null to expect no value',
  ],
  [
    'a part of a changed resource that is undefined',
    (fake) => fake.diff().verify([LUNCH, { kind: 'event', where: { location: undefined }, times: 0 }]),
    '[1].where.location: is undefined; give null to expect no value',
  ],
  [
    'the id of a change that is undefined',
    (fake) => fake.diff().verify([{ kind: 'event', id: undefined }]),
    '[0].id: is undefined; leave it out to expect any',
  ],
  [
    'a list in place of the account of a change',
    (fake) => fake.diff().verify([LUNCH, { account: [ALICE], times: 0 }]),
    '[1].account: give a text',
  ],
  [
    'the name of the account of a change',
    (fake) => fake.diff().verify([LUNCH, { account: 'alice', times: 0 }]),
    '[1].account: give an address',
  ],
  [
    'a number in place of the id of a change',
    (fake) => fake.diff().verify([LUNCH, { id: 5, times: 0 }]),
    '[1].id: give a text',
  ],
  [
    'an alias in place of the id of a calendar',
    (fake) => fake.diff().verify([LUNCH, { calendarId: 'primary', times: 0 }]),
    '[1].calendarId: give the id, not primary',
  ],
  [
    'a field that no kind has',
    (fake) => fake.diff().verify([LUNCH, { where: { sumary: 'Lunch' }, times: 0 }]),
    '[1].where: there is no "sumary"; did you mean "summary"?',
  ],
  [
    'a changed field that no kind has',
    (fake) => fake.diff().verify([LUNCH, { fields: { sumary: 'Lunch' }, times: 0 }]),
    '[1].fields: there is no "sumary"; did you mean "summary"?',
  ],
  [
    'a value that a changed field never has',
    (fake) => fake.diff().verify([LUNCH, { kind: 'event', fields: { location: ['Room 1', ['Room 2']] }, times: 0 }]),
    '[1].fields.location: give a text',
  ],
  [
    'a changed time without an offset',
    (fake) =>
      fake.diff().verify([LUNCH, { kind: 'event', fields: { 'start.dateTime': '2026-03-02T09:00:00' }, times: 0 }]),
    '[1].fields.start.dateTime: give a time with an offset',
  ],
  ['the name of an account in a history', (fake) => fake.changes({ account: 'alice' }), 'account: give an address'],
  [
    'the name of a writer in a history',
    (fake) => fake.changes({ by: 'alice' }),
    'by: give an address, clock or control',
  ],
  [
    'the name of an account in a fault',
    (fake) => fake.faults.add({ on: '*', account: 'alice', optional: true, do: { status: 500 } }),
    'account: give an address',
  ],
]

test.each(MISTAKES)(
  'an assertion with %s that does not exist throws, and names the nearest',
  async (_, assert, message) => {
    const { fake, as } = openCalendar()
    await as(ALICE).post('/calendars/primary/events', {
      ...{ summary: 'Lunch', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } },
    })

    expect(() => assert(fake)).toThrow(RangeError)
    expect(() => assert(fake)).toThrow(message)
  },
)

/** Keys of calls of `events.insert` unless a method is named, each near to one that the method has. */
const MISSPELLED_KEYS: readonly [object, string, MethodPattern?][] = [
  [{ body: { sumary: 'Lunch' } }, 'body: there is no "sumary"; did you mean "summary"?'],
  [{ body: { sumary: null } }, 'body: there is no "sumary"; did you mean "summary"?'],
  [{ body: { Summary: 'Lunch' } }, 'body: there is no "Summary"; did you mean "summary"?'],
  [{ body: { start: { datetime: '' } } }, 'body.start: there is no "datetime"; did you mean "dateTime"?'],
  [{ body: { guests: [{ email: BOB }] } }, 'body: there is no "guests"; did you mean "attendees"?'],
  [{ body: { attendees: [{ emial: BOB }] } }, 'body.attendees[0]: there is no "emial"; did you mean "email"?'],
  [
    { body: { attendees: { contains: [{ emial: BOB }] } } },
    'body.attendees.contains: there is no "emial"; did you mean "email"?',
  ],
  [{ body: { attendee: [] } }, 'body: there is no "attendee"; did you mean "attendees"?'],
  [{ body: { start: { Date: new Date(0) } } }, 'body.start: there is no "Date"; did you mean "date"?'],
  [
    { body: { extendedProperties: { privat: {} } } },
    'body.extendedProperties: there is no "privat"; did you mean "private"?',
  ],
  [{ params: { sendUpdate: 'all' } }, 'params: there is no "sendUpdate"; did you mean "sendUpdates"?'],
  [{ params: { calendar: ALICE } }, 'params: there is no "calendar"; did you mean "calendarId"?'],
  [{ params: { field: 'id' } }, 'params: there is no "field"; did you mean "fields"?'],
  [{ response: { sumary: 'Lunch' } }, 'response: there is no "sumary"; did you mean "summary"?'],
  [{ response: { error: { mesage: '' } } }, 'response.error: there is no "mesage"; did you mean "message"?'],
  [
    { response: { error: { errors: [{ raeson: '' }] } } },
    'response.error.errors[0]: there is no "raeson"; did you mean "reason"?',
  ],
  [{ params: { maxResult: 5 } }, 'params: there is no "maxResult"; did you mean "maxResults"?', 'events.list'],
  [
    { response: { items: [{ start: { timezone: '' } }] } },
    'response.items[0].start: there is no "timezone"; did you mean "timeZone"?',
    'events.list',
  ],
  [{ params: { pagetoken: '' } }, 'params: there is no "pagetoken"; did you mean "pageToken"?', 'calendarList.*'],
  [
    { body: { scope: { valeu: ALICE } } },
    'body.scope: there is no "valeu"; did you mean "value"?',
    ['acl.insert', 'acl.patch'],
  ],
  [{ body: { item: [] } }, 'body: there is no "item"; did you mean "items"?', 'freebusy.query'],
  [{ body: { adress: '' } }, 'body: there is no "adress"; did you mean "address"?', 'events.watch'],
]

test.each(MISSPELLED_KEYS)(
  'a verification of calls with %j throws, with and without a call, and names the nearest',
  async (where, message, method = 'events.insert') => {
    const { fake, as } = openCalendar()
    const expectRefused = () => {
      for (const times of [undefined, 0, 1, { max: 2 }]) {
        expect(() => assertReceived(fake, method, where, { times })).toThrow(RangeError)
        expect(() => assertReceived(fake, method, where, { times })).toThrow(`where.${message}`)
      }
      for (const isNot of [false, true])
        expect(() => matchers.toHaveReceived.call({ isNot }, fake, method, where)).toThrow(`where.${message}`)
    }

    expectRefused()
    await as(ALICE).post('/calendars/primary/events', hour('2026-03-02', 9))
    await as(ALICE).get('/calendars/primary/events')
    expectRefused()
  },
)

/** Keys that the service ignores, but none that an author meant to write otherwise. */
const OTHER_KEYS: readonly [object, MethodPattern?][] = [
  [{ body: { myField: 1, start: { from: '' }, x: 1 } }],
  [{ body: { extendedProperties: { private: { sumary: '', emial: '' } } } }],
  [{ body: { partners: [{ emial: BOB }] } }],
  [{ body: /sumary/ }],
  [{ body: { attendees: { contains: 'a' } } }],
  [{ params: { p: 1, myParam: 1, maxAttendee: 1, uploadType: 'media', access_token: 'x', alt: 'json' } }],
  [{ params: { maxResult: 5 } }, '*'],
  [{ body: { grant: '' } }, ['oauth.token', 'events.insert']],
  [{ body: { items: [], sumary: '' } }, 'events.delete'],
  [{ body: { time: '' } }, 'events.*'],
  [{ params: { timeMan: '' } }, 'events.list'],
  [{ params: { maxResults: 5, q: 'x' } }, ['events.insert', 'events.list']],
  [{ response: { error: { code: 400, errors: [{ reason: 'invalid', locationType: 'parameter' }] } } }],
]

test.each(OTHER_KEYS)('a verification accepts %j, which no call has', async (where, method = 'events.insert') => {
  const { fake, as } = openCalendar()
  await as(ALICE).post('/calendars/primary/events', hour('2026-03-02', 9))

  assertReceived(fake, method, where, { times: 0 })
  expect(matchers.toHaveReceived.call({ isNot: true }, fake, method, where).pass).toBe(false)
})

test('a misspelled key that the application sent can be verified', async () => {
  const { fake, as } = openCalendar()
  const misspelled = { ...hour('2026-03-02', 9), sumary: 'Lunch', attendees: [{ email: BOB, comments: 'x' }] }
  const insert = (body: object) => as(ALICE).post('/calendars/primary/events?sendUpdate=all', body)
  await insert(misspelled)

  assertReceived(fake, 'events.insert', { body: { sumary: 'Lunch' }, params: { sendUpdate: 'all' } }, { times: 1 })
  assertReceived(fake, 'events.insert', { body: { attendees: [{ comments: 'x' }] } })
  assertReceived(fake, 'events.insert', { body: { sumary: 'Dinner' } }, { times: 0 })
  assertReceived(fake, 'events.insert', { body: { sumary: 'Lunch' } }, { account: BOB, times: 0 })
  expect(() => assertReceived(fake, 'events.insert', { body: { sumary: 'Dinner' } })).toThrow('The nearest, call 1')
  expect(() => fake.calls.verify('events.insert', { body: { summry: 'Lunch' } })).toThrow('did you mean "summary"?')
  fake.calls.clear()
  const long = await insert({ locaton: 'Room 1', ...misspelled, description: 'x'.repeat(300_000) })
  expect(long.status).toBe(400)
  expect(() => fake.calls.verify('events.insert', { body: { locaton: 'Room 2' } }, { times: 0 })).toThrow(
    'only the beginning of call 2 is kept',
  )
})

test('formats of accounts, paths and dates are those of the own fields of an assertion', () => {
  const { fake } = openCalendar()
  for (const name of ['account', 'path', 'date', 'dateTime', 'calendarId']) {
    const own = { [name]: 'primary' }
    const field = `extendedProperties.private.${name}`
    fake.diff().verify([{ kind: 'event', fields: { [field]: 'primary' }, times: 0 }])
    fake.diff().verify([{ kind: 'event', where: { extendedProperties: { shared: own } }, times: 0 }])
    fake.diff().verify([{ fields: { [field]: [null, 'primary'] }, times: 0 }])
    assertEvent(fake, { extendedProperties: { private: own } }, { times: 0 })
    assertReceived(fake, 'events.insert', { body: own, response: own, params: own }, { times: 0 })
  }
  expect(() => fake.diff().verify([{ fields: { 'start.date': 'primary' }, times: 0 }])).toThrow(
    '[0].fields.start.date: give a date',
  )
})

test('each element of an expected list is another guest', async () => {
  const { fake, as } = openCalendar()
  const invite = (...attendees: object[]) =>
    as(ALICE).post('/calendars/primary/events', { ...hour('2026-03-02', 9), attendees })
  const bob = { email: BOB }
  const accepted = { responseStatus: 'accepted' }
  await invite({ ...bob, ...accepted })

  assertReceived(fake, 'events.insert', { body: { attendees: [bob] } })
  assertReceived(fake, 'events.insert', { body: { attendees: [accepted] } })
  for (const attendees of [
    [bob, accepted],
    [accepted, bob],
  ]) {
    const expected = { body: { attendees } }
    expect(() => assertReceived(fake, 'events.insert', expected)).toThrow('body.attendees[]: expected')
    assertReceived(fake, 'events.insert', expected, { times: 0 })
  }
  await invite({ ...bob, ...accepted }, { email: ALICE, ...accepted })
  assertReceived(fake, 'events.insert', { body: { attendees: [accepted, bob] } }, { times: 1 })
})

test('equal elements of an expected list are expected as often as they are listed', async () => {
  const { fake, as } = openCalendar()
  const popup = (minutes: number) => ({ method: 'popup', minutes })
  await as(ALICE).post('/calendars/primary/events', {
    ...{ start: { date: '2026-03-02' }, end: { date: '2026-03-03' } },
    reminders: { useDefault: false, overrides: [popup(10), popup(20)] },
  })
  const expectReminders = (...overrides: object[]) => assertEvent(fake, { reminders: { overrides } })

  expectReminders({ method: 'popup' }, { method: 'popup' })
  expect(() => expectReminders({ method: 'popup' }, { method: 'popup' }, { method: 'popup' })).toThrow('overrides[]')
  expectReminders(popup(20))
  expect(() => expectReminders(popup(20), popup(20))).toThrow('overrides[]')
})

test('a guest who is expected twice is not the guest who is invited once', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post('/calendars/primary/events', { ...hour('2026-03-02', 9), attendees: [{ email: BOB }] })

  for (const more of [{}, { responseStatus: 'needsAction' }])
    expect(() => assertEvent(fake, { attendees: [{ email: BOB }, { email: BOB.toUpperCase(), ...more }] })).toThrow(
      'none has these fields',
    )
})
