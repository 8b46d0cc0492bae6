import fc from 'fast-check'
import { allDay, type Client, hour, type Reply } from '../support/calendar.ts'

export const PEOPLE = ['alice@example.com', 'bob@example.com', 'carol@example.org', 'dave@example.com']
export const EVENTS = '/calendars/primary/events'

export type GuestResponse = { email: string; responseStatus: string }
export type Item = {
  id: string
  status: string
  recurringEventId?: string
  attendees?: GuestResponse[]
  [field: string]: unknown
}

const person = fc.integer({ min: 0, max: PEOPLE.length - 1 })
const day = fc.integer({ min: 2, max: 9 }).map((on) => `2026-03-0${on}`)
const times = fc.oneof(
  fc.tuple(day, fc.integer({ min: 0, max: 22 })).map(([on, at]) => hour(on, at)),
  day.map((on) => allDay(on, '2026-03-12')),
)
export const ACTIONS = [
  'insert', 'recur', 'rename', 'retime', 'invite', 'answer', 'color', 'remind', 'delete', 'restore', 'flag', 'rerule', 'move', 'import', 'stale', 'bad',
] as const // biome-ignore format: a list
/** One action of one of four people on one of six meetings, or on one of its instances. */
export const step = fc.record({
  who: person,
  kind: fc.constantFrom(...ACTIONS),
  of: fc.integer({ min: 0, max: 5 }),
  instance: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 2, nil: undefined }),
  guests: fc.subarray(PEOPLE),
  answer: fc.constantFrom('accepted', 'declined', 'tentative'),
  when: times,
  n: fc.integer({ min: 0, max: 9 }),
})
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Everybody invites everybody: two meetings and two series at the start. */
export const FIRST: Step[] = PEOPLE.map((_, who) => {
  const kind = who % 2 ? 'recur' : 'insert'
  return {
    who,
    kind,
    of: who,
    instance: undefined,
    guests: PEOPLE,
    answer: 'accepted',
    when: hour('2026-03-04', 9 + who),
    n: 0,
  }
})

/** Executes one step through requests only. */
export async function takeStep(
  client: Client,
  { who, kind, of, instance, guests, answer, when, n }: Step,
): Promise<Reply> {
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
  const steps: Record<Step['kind'], () => Promise<Reply>> = {
    insert: () => client.post(EVENTS, { id, summary: `of ${me}`, attendees, ...when }),
    recur: () => client.post(EVENTS, { id, summary: `of ${me}`, attendees, ...when, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }),
    // A guest's changes apply only to the guest's copy, so copies may differ.
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
  return steps[kind]()
}
