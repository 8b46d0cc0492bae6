import { expect, test } from 'vitest'
import { ALICE, BOB, type Client, NOW, openCalendar } from '../../support/calendar.ts'
import { countSteps } from '../../support/work.ts'

/** The cost of a reply in steps: it follows the size of the reply, not of the calendar. */
const EVENTS = '/calendars/primary/events'
const DAY = 86_400_000
const HOUR = 3_600_000
const MONDAY = Date.UTC(2026, 2, 2)
const FAR = '9999-12-31T00:00:00Z'

type Params = Record<string, string | number | boolean>
const query = (params: Params) =>
  new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))
const BY_START = { singleEvents: true, orderBy: 'startTime', maxResults: 10 }

const event = (id: string, start: number, more: object = {}) => ({
  id,
  summary: id,
  start: { dateTime: new Date(start).toISOString(), timeZone: 'UTC' },
  end: { dateTime: new Date(start + HOUR).toISOString(), timeZone: 'UTC' },
  ...more,
})
const numbered = (kind: string, nth: number) => `${kind}${String(nth).padStart(6, '0')}`
const many = (count: number, one: (nth: number) => object) => Array.from({ length: count }, (_, nth) => one(nth))

function open(events: object[], accounts: object[] = [{ email: ALICE }, { email: BOB }]) {
  const { as, fake } = openCalendar({ now: NOW, seed: { accounts, calendars: [{ id: ALICE, events }] } as never })
  return { alice: as(ALICE), as, fake }
}

async function page(alice: Client, params: Params, path = EVENTS) {
  const { status, body } = await alice.get(`${path}?${query(params)}`)
  expect(status).toBe(200)
  return body
}

/** The work of each page, as far as there are pages or so many were drawn. */
async function pages(alice: Client, params: Params, { path = EVENTS, most = Number.POSITIVE_INFINITY } = {}) {
  const work: number[] = []
  const found: string[] = []
  for (let pageToken: string | undefined = ''; pageToken !== undefined && work.length < most; ) {
    let body: { items: { id: string }[]; nextPageToken?: string } = { items: [] }
    const given: Params = pageToken ? { ...params, pageToken } : params
    work.push(
      await countSteps(async () => {
        body = await page(alice, given, path)
      }),
    )
    found.push(...body.items.map(({ id }) => id))
    pageToken = body.nextPageToken
  }
  return { work, found }
}

/** The steps of ten items, including the lookups of every request: its caller, the calendar, its list entry. */
const TEN_ITEMS = 150

const ENDLESS: [title: string, line: string, params: Params][] = [
  ['without an end, up to the year 9999', 'RRULE:FREQ=DAILY', { timeMax: FAR }],
  ['without an end', 'RRULE:FREQ=DAILY', {}],
  ['until the year 9999', 'RRULE:FREQ=DAILY;UNTIL=99991231T000000Z', {}],
  ['of a thousand million', 'RRULE:FREQ=DAILY;COUNT=1000000000', { timeMax: FAR }],
  ['read far from its start', 'RRULE:FREQ=DAILY', { timeMin: '9000-01-01T00:00:00Z', timeMax: FAR }],
]

test.each(ENDLESS)('ten instances of a series %s cost the work of ten, on every page', async (_, line, params) => {
  const { alice } = open([event('series', Date.UTC(2000, 0, 3), { recurrence: [line] })])
  for (const [path, more] of [
    [EVENTS, BY_START],
    [EVENTS, { singleEvents: true, maxResults: 10 }],
    [`${EVENTS}/series/instances`, { maxResults: 10 }],
  ] as const) {
    const { work, found } = await pages(alice, { ...more, ...params }, { path, most: 5 })
    expect(new Set(found).size).toBe(50)
    expect(Math.max(...work)).toBeLessThan(TEN_ITEMS)
  }
})

test('each further single event of a page costs one step', async () => {
  const { alice } = open(many(200, (nth) => event(numbered('one', nth), MONDAY + nth * HOUR)))
  const work = async (maxResults: number) => (await pages(alice, { maxResults }, { most: 1 })).work[0] ?? 0
  await work(1) // Alice's first call
  const few = await work(10)

  expect((await work(110)) - few).toBe(100)
})

test('ten instances of 300 series without an end cost the work of ten', async () => {
  const series = (nth: number) =>
    event(numbered('s', nth), Date.UTC(2020, 0, 1) + nth * 240_000, { recurrence: ['RRULE:FREQ=DAILY'] })
  const { alice } = open(many(300, series))
  const { work } = await pages(alice, BY_START, { most: 5 })
  // An instance lasts an hour: series that begin within an hour of a page's last instance are opened too.
  expect(Math.max(...work)).toBeLessThan(3 * TEN_ITEMS)

  const window = { ...BY_START, timeMin: new Date(MONDAY).toISOString(), timeMax: FAR }
  const first = await pages(alice, window, { most: 5 })
  // The first look at a moment brings each series up to it, and the next ones find them there.
  expect(first.work[0]).toBeLessThan(300 * 5 + 3 * TEN_ITEMS)
  expect(Math.max(...first.work.slice(1))).toBeLessThan(3 * TEN_ITEMS)
  const again = await pages(alice, window, { most: 5 })
  expect(Math.max(...again.work)).toBeLessThan(3 * TEN_ITEMS)
  expect(again.found).toEqual(first.found)
})

test.each<Params>([BY_START, { singleEvents: true, maxResults: 10 }, {}])(
  'a lookup of a series by its iCalUID costs the same in any number of series: %o',
  async (params) => {
    const work = async (count: number) => {
      const { alice } = open(
        many(count, (nth) => event(numbered('s', nth), MONDAY, { recurrence: ['RRULE:FREQ=DAILY'] })),
      )
      const iCalUID = `${numbered('s', count / 2)}@google.com`
      expect((await page(alice, { ...params, iCalUID })).items[0].iCalUID).toBe(iCalUID)
      return countSteps(() => page(alice, { ...params, iCalUID }))
    }
    expect(await work(400)).toBe(await work(40))
  },
)

test('a lookup by originalStart costs the work of one instance in any window', async () => {
  const { alice } = open([event('endless', MONDAY, { recurrence: ['RRULE:FREQ=DAILY'] })])
  const path = `${EVENTS}/endless/instances`
  const params = { originalStart: new Date(MONDAY + 28 * DAY).toISOString(), timeMax: FAR }
  const { work, found } = await pages(alice, params, { path })
  expect(found).toEqual(['endless_20260330T000000Z'])
  expect(Math.max(...work)).toBeLessThan(TEN_ITEMS)
})

test('a lookup of an imported event by its iCalUID costs the work of one event', async () => {
  const { alice } = open(many(100, (nth) => event(numbered('e', nth), MONDAY)))
  const { id: _, ...body } = event('', MONDAY)
  expect((await alice.post(`${EVENTS}/import`, { ...body, iCalUID: 'of-another@system.example' })).status).toBe(200)
  const params = { iCalUID: 'of-another@system.example' }
  expect(await countSteps(async () => expect((await page(alice, params)).items).toHaveLength(1))).toBeLessThan(
    TEN_ITEMS,
  )
})

const week = (more: Params = {}) => ({
  timeMin: new Date(MONDAY).toISOString(),
  timeMax: new Date(MONDAY + 7 * DAY).toISOString(),
  ...more,
})

test.each([{ maxResults: 50 }, { ...BY_START, maxResults: 50 }])(
  'fifty events of a week cost the same in a full and in an empty week: %o',
  async (params) => {
    const work = async (count: number) => {
      const { alice } = open(
        many(count, (nth) => event(numbered('e', nth), MONDAY + Math.floor((nth * 7 * DAY) / count))),
      )
      return countSteps(async () => expect((await page(alice, week(params))).items).toHaveLength(50))
    }
    expect(await work(5600)).toBeLessThan(1.5 * (await work(200)))
  },
)

const DRAINED: [title: string, params: Params][] = [
  ['in the order of start', { singleEvents: true, orderBy: 'startTime' }],
  ['with a timeMin before all events', { timeMin: new Date(MONDAY - DAY).toISOString() }],
  ['with a timeMin in the middle', { timeMin: new Date(MONDAY + 1000 * HOUR).toISOString() }],
]

test.each(DRAINED)('the work for the pages of a list %s is proportional to their items', async (_, params) => {
  const { alice } = open(many(2000, (nth) => event(numbered('e', nth), MONDAY + nth * HOUR)))
  const small = await pages(alice, { ...params, maxResults: 25 })
  const large = await pages(alice, { ...params, maxResults: 250 })
  expect(small.found).toEqual(large.found)
  const sum = (work: number[]) => work.reduce((all, one) => all + one, 0)
  expect(sum(small.work)).toBeLessThan(6 * 2000 + small.work.length * 50)
  expect(sum(large.work)).toBeLessThan(6 * 2000 + large.work.length * 50)
})

test('deleted events and their instances do not slow down lists', async () => {
  const { alice, fake } = open([event('live00', MONDAY)])
  const variants: Params[] = [{}, week(), week(BY_START)]
  const costs = async () => {
    const all: number[] = []
    for (const one of variants) all.push(await countSteps(() => page(alice, one)))
    return all
  }
  const before = await costs()
  await fake.seed({ calendars: [{ id: ALICE, events: many(50, (nth) => event(numbered('d', nth), MONDAY)) }] } as never)
  await fake.seed({
    calendars: [
      {
        id: ALICE,
        events: many(10, (nth) => event(numbered('s', nth), MONDAY, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3650'] })),
      },
    ],
  } as never)
  for (let nth = 0; nth < 10; nth++) {
    const { items } = await page(alice, { maxResults: 3 }, `${EVENTS}/${numbered('s', nth)}/instances`)
    expect((await alice.patch(`${EVENTS}/${items[0].id}`, { summary: 'Moved' })).status).toBe(200)
    expect((await alice.delete(`${EVENTS}/${items[1].id}`)).status).toBe(204)
    expect((await alice.delete(`${EVENTS}/${numbered('s', nth)}`)).status).toBe(204)
  }
  for (let nth = 0; nth < 50; nth++) expect((await alice.delete(`${EVENTS}/${numbered('d', nth)}`)).status).toBe(204)
  const after = await costs()
  for (const [nth, cost] of after.entries()) expect(cost).toBeLessThan((before[nth] ?? 0) + 40)
})

const COSTLY: [title: string, lines: string[]][] = [
  ['COUNT=1000000000', ['RRULE:FREQ=DAILY;COUNT=1000000000']],
  ['COUNT=1000000000 of some months', ['RRULE:FREQ=WEEKLY;BYMONTH=1,3;COUNT=1000000000']],
  ['week 20 of each year, 5000 times', ['RRULE:FREQ=YEARLY;BYWEEKNO=20;COUNT=5000']],
  [
    'the maximum number of rule pairs',
    Array.from({ length: 5 }, (_, nth) => [
      `RRULE:FREQ=DAILY;INTERVAL=${nth + 1}`,
      `EXRULE:FREQ=DAILY;INTERVAL=${nth + 1}`,
    ]).flat(),
  ],
  ['a date that never exists', ['RRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231T000000Z']],
]

// A few times the 36,525 looks after which an unsuccessful search ends a series.
const ONCE = 250_000

test.each(COSTLY)('a series of %s is expanded once, also for a guest', async (_, recurrence) => {
  const { alice } = open([])
  const series = event('heavi0', MONDAY, { recurrence, attendees: [{ email: BOB }] })
  const insert = async () => expect((await alice.post(EVENTS, series)).status).toBe(200)
  expect(await countSteps(insert)).toBeLessThan(ONCE)
  expect(await countSteps(() => page(alice, BY_START))).toBeLessThan(3 * TEN_ITEMS)
  const patch = async () => expect((await alice.patch(`${EVENTS}/heavi0`, { summary: 'Again' })).status).toBe(200)
  expect(await countSteps(patch)).toBeLessThan(500)
})

test('a free/busy query of one week of a daily series from year 1 to 9999 costs the work of a week', async () => {
  const whole = { id: 'alldag', start: { date: '0001-01-01' }, end: { date: '0001-01-02' }, transparency: 'opaque' }
  const { alice } = open([{ ...whole, recurrence: ['RRULE:FREQ=DAILY;UNTIL=99991231'] }])
  const query = async () => {
    const { body } = await alice.post('/freeBusy', { ...week(), items: [{ id: ALICE }] })
    expect(body.calendars[ALICE].busy).toHaveLength(1)
  }
  expect(await countSteps(query)).toBeLessThan(TEN_ITEMS)
})

test('a week of a series costs the work of a week with any number of exceptions, as does a write that none of them follows', async () => {
  const { alice } = open([event('series', MONDAY, { recurrence: ['RRULE:FREQ=DAILY;COUNT=400'] })])
  for (const { id } of (await page(alice, { maxResults: 2500 }, `${EVENTS}/series/instances`)).items) {
    expect((await alice.patch(`${EVENTS}/${id}`, { location: id })).status).toBe(200)
  }
  const path = `${EVENTS}/series/instances`
  const found = async () => expect((await page(alice, week(), path)).items).toHaveLength(7)
  expect(await countSteps(found)).toBeLessThan(TEN_ITEMS)
  const workOfUnchanged = async () =>
    expect((await alice.patch(`${EVENTS}/series`, { reminders: { useDefault: true } })).status).toBe(200)
  expect(await countSteps(workOfUnchanged)).toBeLessThan(TEN_ITEMS)
})

test('a week of many series reads each series once and caches its instances', async () => {
  const rules = ['DAILY', 'DAILY;INTERVAL=3', 'WEEKLY;BYDAY=MO,WE,FR', 'DAILY;COUNT=20000', 'MONTHLY;BYDAY=1MO']
  const series = (nth: number) =>
    event(numbered('s', nth), Date.UTC(2000, 0, 3), { recurrence: [`RRULE:FREQ=${rules[nth % rules.length]}`] })
  const { alice } = open(many(200, series))
  const params = week({ singleEvents: true, maxResults: 2500 })
  const query = async () => expect((await page(alice, params)).items.length).toBeGreaterThan(500)
  // Of each series: its place in the order of change, its next instance, those of the week, and whether any was
  // changed.
  expect(await countSteps(query)).toBeLessThan(200 * 24)
  expect(await countSteps(query)).toBeLessThan(200 * 5)
})

test('a role lookup reads only the account’s own groups, and a new account is added without reading all events', async () => {
  const groups = many(200, (nth) => ({ email: `group${nth}@example.com`, members: ['nobody@example.com'] }))
  const invited = { attendees: [{ email: 'late@example.com' }] }
  const { alice, as, fake } = open([
    event('first0', MONDAY, invited),
    ...many(500, (nth) => event(numbered('e', nth), MONDAY)),
  ])
  const alone = await countSteps(() => page(alice, { maxResults: 1 }))
  await fake.seed({ groups } as never)
  expect(await countSteps(() => page(alice, { maxResults: 1 }))).toBeLessThan(alone + 6)
  expect(await countSteps(() => fake.seed({ accounts: [{ email: 'new@example.com' }] }))).toBeLessThan(400)
  await fake.seed({ accounts: [{ email: 'late@example.com' }] })
  expect((await page(as('late@example.com'), {})).items.map(({ id }: { id: string }) => id)).toEqual(['first0'])
})

test('a page in the order of updated costs the same after a write of reminders only', async () => {
  const { alice } = open(many(120, (nth) => event(numbered('event', nth), MONDAY)))
  const params = { orderBy: 'updated', maxResults: 10 }
  const before = await countSteps(() => page(alice, params))
  await alice.patch(`${EVENTS}/${numbered('event', 5)}`, { reminders: { useDefault: false, overrides: [] } })
  expect(await countSteps(() => page(alice, params))).toBeLessThan(before + 20)
  const { items } = await page(alice, { ...params, maxResults: 250 })
  expect(items.map(({ id }: { id: string }) => id)).toEqual(
    Array.from({ length: 120 }, (_, nth) => numbered('event', nth)),
  )
})
