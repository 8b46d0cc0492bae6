import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALICE, allDay, type Client, hour, openCalendar, type Reply } from '../../support/calendar.ts'
import { applyDelta } from '../../support/folding.ts'
import { runs } from '../../support/seeded.ts'

const EVENTS = '/calendars/primary/events'
type Item = { id: string; status: string }
type Query = Record<string, string | number | boolean>
const list = async (
  client: Client,
  query: Query,
): Promise<{ items: Item[]; nextPageToken?: string; nextSyncToken: string }> => {
  const { status, body, text } = await client.get(
    `${EVENTS}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
  )
  if (status !== 200) throw new Error(text)
  return body
}

/** A list in pages of one size. */
async function paged(client: Client, query: Query, maxResults: number) {
  const items: Item[] = []
  for (let pageToken = ''; ; ) {
    const page = await list(client, { ...query, maxResults, pageToken })
    items.push(...page.items)
    if (!page.nextPageToken) return items
    pageToken = page.nextPageToken
  }
}

const day = fc.integer({ min: 1, max: 20 }).map((on) => `2026-03-${String(on).padStart(2, '0')}`)
const rule = fc.constantFrom(
  'RRULE:FREQ=DAILY;COUNT=5',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6',
  'RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20260430',
  'RRULE:FREQ=MONTHLY;BYDAY=1MO',
  'RRULE:FREQ=DAILY;INTERVAL=3',
)
const times = fc.oneof(
  fc.tuple(day, fc.integer({ min: 0, max: 22 })).map(([on, at]) => hour(on, at)),
  day.map((on) => allDay(on, '2026-03-22')),
)
const series = fc.tuple(times, rule).map(([when, line]) => ({ ...when, recurrence: [line] }))
const event = fc.oneof(times, series)

test('pages of any size add up to the list of instances, in any order and window', async () => {
  const query = fc.constantFrom<Query>(
    { singleEvents: true, timeMax: '2026-06-01T00:00:00Z' },
    { singleEvents: true, orderBy: 'startTime', timeMin: '2026-03-10T00:00:00Z', timeMax: '2026-04-10T00:00:00Z' },
    { singleEvents: true, orderBy: 'updated', timeMax: '2026-04-01T00:00:00Z' },
    { singleEvents: true, showDeleted: true, timeMin: '2026-03-10T00:00:00Z', timeMax: '2026-04-10T00:00:00Z' },
    { showDeleted: true },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 6 }),
      query,
      fc.integer({ min: 1, max: 7 }),
      async (events, query, maxResults) => {
        const alice = openCalendar().as(ALICE)
        for (const one of events) expect((await alice.post(EVENTS, one)).status).toBe(200)
        const whole = (await list(alice, { ...query, maxResults: 2500 })).items
        if (whole[0]) await alice.delete(`${EVENTS}/${whole[0].id}`)
        const now = (await list(alice, { ...query, maxResults: 2500 })).items
        expect(await paged(alice, query, maxResults)).toEqual(now)
      },
    ),
    { numRuns: runs(25) },
  )
})

/** An action of a client on one of five series or events, or on an instance. */
const WHAT = [
  'insert',
  'rename',
  'retime',
  'rerule',
  'single',
  'delete',
  'restore',
  'instance',
  'hole',
  'fill',
] as const
const edit = fc.record({
  kind: fc.constantFrom(...WHAT),
  of: fc.integer({ min: 0, max: 4 }),
  nth: fc.integer({ min: 0, max: 3 }),
  event,
  line: rule,
})
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never

async function make(alice: Client, { kind, of, nth, event: draft, line }: Edit) {
  const path = `${EVENTS}/event${of}`
  const instance = async () => {
    const { status, body } = await alice.get(`${path}/instances?showDeleted=true&maxResults=4`)
    return status === 200 ? body.items[nth]?.id : undefined
  }
  const clear = {
    start: { date: null, dateTime: null, ...draft.start },
    end: { date: null, dateTime: null, ...draft.end },
  }
  const edits: Record<Edit['kind'], () => Promise<Reply>> = {
    insert: () => alice.post(EVENTS, { id: `event${of}`, ...draft }),
    rename: () => alice.patch(path, { summary: `${line} ${nth}` }),
    retime: () => alice.patch(path, clear),
    rerule: () => alice.patch(path, { recurrence: [line] }),
    single: () => alice.patch(path, { recurrence: null }),
    delete: () => alice.delete(path),
    restore: () => alice.patch(path, { status: 'confirmed' }),
    instance: async () =>
      alice.patch(`${EVENTS}/${await instance()}`, { summary: `one of ${line}`, ...(nth > 1 && clear) }),
    hole: async () => alice.delete(`${EVENTS}/${await instance()}`),
    fill: async () => alice.patch(`${EVENTS}/${await instance()}`, { status: 'confirmed' }),
  }
  return (await edits[kind]()).status
}

const LISTS: Query[] = [
  {},
  { singleEvents: true },
  { singleEvents: true, timeMin: '2020-01-01T00:00:00Z', timeMax: '2030-01-01T00:00:00Z' },
]

const SERIES = { ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
const editSeries = (kind: Edit['kind'], nth = 0): Edit => ({
  ...{ kind, nth, of: 0 },
  ...{ event: SERIES, line: 'RRULE:FREQ=DAILY;INTERVAL=3' },
})
/** A series to begin with, so that most edits find something. */
const FIRST = [editSeries('insert')]
/** Edits of each kind. Random edits may all fail. */
const EACH = [
  ...[editSeries('rename'), editSeries('instance', 1), editSeries('hole', 2), editSeries('fill', 2)],
  ...[editSeries('retime'), editSeries('delete'), editSeries('restore'), editSeries('rerule'), editSeries('single')],
]

test.each(LISTS)('a sync after random edits equals a new full list (%o)', async (query) => {
  const done = new Set<Edit['kind']>()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(edit, { maxLength: 5 }), { maxLength: 6 }), async (rounds) => {
      const alice = openCalendar().as(ALICE)
      const items = new Map<string, Item>()
      let { nextSyncToken: syncToken } = await list(alice, query)
      for (const edits of [FIRST, ...rounds]) {
        for (const one of edits) {
          const status = await make(alice, one)
          if (status < 300) done.add(one.kind)
        }
        const delta = await list(alice, { syncToken, maxResults: 2500 })
        applyDelta(items, delta.items)
        syncToken = delta.nextSyncToken
        const fresh = (await list(alice, { ...query, maxResults: 2500 })).items.filter(
          ({ status }) => status !== 'cancelled',
        )
        expect([...items.keys()].sort()).toEqual(fresh.map(({ id }) => id).sort())
        for (const item of fresh) expect(items.get(item.id)).toEqual(item)
      }
    }),
    { numRuns: runs(60), examples: [[EACH.map((one) => [one])]] },
  )
  expect([...done].sort()).toEqual([...WHAT].sort())
})
