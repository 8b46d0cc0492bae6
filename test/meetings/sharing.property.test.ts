import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allDay, type Client, hour, openCalendar, type Reply } from '../support/calendar.ts'
import { fold } from '../support/mirror.ts'

const PEOPLE = ['alice@example.com', 'bob@example.com', 'carol@example.org', 'dave@example.com']
const EVENTS = '/calendars/primary/events'

type Answer = { email: string; responseStatus: string }
type Item = { id: string; status: string; attendees?: Answer[]; [field: string]: unknown }

const person = fc.integer({ min: 0, max: PEOPLE.length - 1 })
const day = fc.integer({ min: 2, max: 9 }).map((on) => `2026-03-0${on}`)
const times = fc.oneof(
  fc.tuple(day, fc.integer({ min: 0, max: 22 })).map(([on, at]) => hour(on, at)),
  day.map((on) => allDay(on, '2026-03-12')),
)
const WHAT = [
  'insert', 'recur', 'rename', 'retime', 'invite', 'answer', 'color', 'remind', 'delete', 'restore', 'flag', 'rerule', 'move', 'import', 'stale', 'bad',
] as const // biome-ignore format: a list
/** One thing that one of four people does to one of six meetings, or to one instance of it. */
const step = fc.record({
  who: person,
  what: fc.constantFrom(...WHAT),
  of: fc.integer({ min: 0, max: 5 }),
  instance: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2, nil: undefined }),
  guests: fc.subarray(PEOPLE),
  answer: fc.constantFrom('accepted', 'declined', 'tentative'),
  when: times,
  n: fc.integer({ min: 0, max: 9 }),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Everybody invites everybody: two meetings and two series to begin with. */
const FIRST: Step[] = PEOPLE.map((_, who) => {
  const what = who % 2 ? 'recur' : 'insert'
  return {
    who,
    what,
    of: who,
    instance: undefined,
    guests: PEOPLE,
    answer: 'accepted',
    when: hour('2026-03-04', 9 + who),
    n: 0,
  }
})

/** Does one step, by requests alone. */
async function take(client: Client, { who, what, of, instance, guests, answer, when, n }: Step): Promise<Reply> {
  const me = PEOPLE[who] ?? ''
  const id = `meet00${of}`
  const instances = async () => {
    const { status, body } = await client.get(`${EVENTS}/${id}/instances?showDeleted=true&maxResults=3`)
    return status === 200 ? body.items : []
  }
  const named = instance === undefined ? id : ((await instances())[instance]?.id ?? id)
  const path = `${EVENTS}/${named}`
  const own = await client.get(path)
  const organizes = own.status === 200 && own.body.organizer?.self === true
  const attendees = guests.map((email) => ({ email }))
  const clear = {
    start: { date: null, dateTime: null, ...when.start },
    end: { date: null, dateTime: null, ...when.end },
  }
  const steps: Record<Step['what'], () => Promise<Reply>> = {
    insert: () => client.post(EVENTS, { id, summary: `of ${me}`, attendees, ...when }),
    recur: () => client.post(EVENTS, { id, summary: `of ${me}`, attendees, ...when, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }),
    // What guests change of the meeting is their copy's alone, and would make copies differ by right.
    rename: () => (organizes ? client.patch(path, { summary: `Number ${n}` }) : client.get(path)),
    retime: () => (organizes ? client.patch(path, clear) : client.get(path)),
    rerule: () => (organizes ? client.patch(`${EVENTS}/${id}`, { recurrence: n > 5 ? null : [`RRULE:FREQ=DAILY;COUNT=${n + 1}`] }) : client.get(path)),
    invite: () => client.patch(path, { attendees }),
    answer: () => client.patch(path, { attendees: [{ email: me, responseStatus: answer }], attendeesOmitted: true }),
    color: () => client.patch(path, { colorId: String(n + 1) }),
    remind: () => client.patch(path, { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: n }] } }),
    delete: () => client.delete(path),
    restore: () => (organizes ? client.patch(path, { status: 'confirmed' }) : client.get(path)),
    flag: () => client.patch(path, { guestsCanInviteOthers: n > 4 }),
    move: () => client.post(`${EVENTS}/${id}/move?destination=${encodeURIComponent(PEOPLE[n % PEOPLE.length] ?? '')}`),
    import: () => client.post(`${EVENTS}/import`, { iCalUID: `import${n}@elsewhere.example`, organizer: { email: 'x@elsewhere.example' }, attendees: [{ email: me }], ...when }),
    stale: () => client.patch(path, { summary: 'never' }, { 'If-Match': '"1"' }),
    bad: () => client.put(path, { summary: 'never', start: when.start }),
  } // biome-ignore format: a table
  return steps[what]()
}

/** What every copy of a meeting says alike. */
const SHARED = [
  'iCalUID',
  'summary',
  'description',
  'location',
  'recurrence',
  'sequence',
  'guestsCanInviteOthers',
  'recurringEventId',
  'eventType',
]
const sharedPart = (event: Item) => JSON.stringify(SHARED.map((field) => event[field] ?? null))
const moments = (event: Item) =>
  JSON.stringify(
    ['start', 'end', 'originalStartTime'].map((field) => {
      const { date, dateTime } = (event[field] ?? {}) as { date?: string; dateTime?: string }
      return date ?? (dateTime && Date.parse(dateTime))
    }),
  )
const answersOf = ({ attendees = [] }: Item) =>
  JSON.stringify(attendees.map(({ email, responseStatus }) => [email, responseStatus]))

test('four people at four meetings: copies agree, syncs equal fresh lists, and no refusal leaves a trace', {
  timeout: 120_000,
}, async () => {
  const done = new Map<Step['what'], number>()
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const { fake, as } = openCalendar({ seed: { accounts: PEOPLE.map((email) => ({ email })) } })
      const clients = PEOPLE.map((email) => as(email))
      for (const [who, one] of clients.entries()) {
        for (const email of PEOPLE.filter((_, at) => at !== who))
          await one.post('/calendars/primary/acl', { role: 'writer', scope: { type: 'user', value: email } })
      }
      const list = async (one: Client, query: string) => (await one.get(`${EVENTS}?maxResults=2500&${query}`)).body
      const known = await Promise.all(
        clients.map(async (one) => ({ token: (await list(one, '')).nextSyncToken, items: new Map<string, Item>() })),
      )

      for (const one of [...FIRST, ...steps]) {
        const before = JSON.stringify(fake.state().calendars)
        const { status, text } = await take(clients[one.who] as Client, one)
        expect(status, text).toBeLessThan(500)
        if (status < 300) done.set(one.what, (done.get(one.what) ?? 0) + 1)
        if (status >= 400) expect(JSON.stringify(fake.state().calendars)).toBe(before)

        const fresh: Item[][] = []
        for (const [at, client] of clients.entries()) {
          const mine = known[at] as (typeof known)[number]
          const delta = await list(client, `syncToken=${encodeURIComponent(mine.token)}`)
          mine.token = delta.nextSyncToken
          fold(mine.items, delta.items as Item[])
          const items = ((await list(client, '')).items as Item[]).filter((item) => item.status !== 'cancelled')
          expect([...mine.items.keys()].sort()).toEqual(items.map(({ id }) => id).sort())
          for (const item of items) expect(mine.items.get(item.id)).toEqual(item)
          fresh.push(items)
        }
        for (const items of fresh) for (const item of items) if (agrees(item, fresh)) compared += 1
      }
    }),
    { numRuns: 25 },
  )
  expect([...WHAT].filter((what) => !done.has(what))).toEqual(['stale', 'bad'])
  expect(compared).toBeGreaterThan(1000)
})

/** A live copy says what its organizer's own says. Returns whether this is a copy of which that can be seen. */
function agrees(item: Item, fresh: Item[][]): boolean {
  const { email, self } = item.organizer as { email: string; self?: boolean }
  if (self || item.privateCopy) return false
  const own = fresh[PEOPLE.indexOf(email)]?.find(({ id }) => id === item.id)
  if (!own && item.recurringEventId) return false // an instance that the organizer has as the rule makes it
  if (!own) return expect.unreachable(`${item.id} without its organizer's own`)
  expect(sharedPart(item)).toBe(sharedPart(own))
  expect(moments(item)).toBe(moments(own))
  expect(answersOf(item)).toBe(answersOf(own))
  return true
}
