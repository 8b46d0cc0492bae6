import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, CAROL, type Client, hour, openCalendar, PEOPLE } from '../../support/calendar.ts'
import { share } from '../../support/sharing.ts'

const rule = fc.constantFrom(
  'RRULE:FREQ=DAILY;COUNT=9',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,SU',
  'RRULE:FREQ=DAILY;INTERVAL=5;UNTIL=20260420T000000Z',
  'RRULE:FREQ=MONTHLY;BYDAY=-1FR',
)
const times = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 22 }), fc.constantFrom('America/New_York', 'Asia/Kolkata', 'UTC'))
    .map(([at, zone]) => hour('2026-03-02', at, zone)),
  fc.constantFrom(allDay('2026-03-02', '2026-03-03'), allDay('2026-03-05', '2026-03-09')),
)
const series = fc
  .tuple(
    times,
    rule,
    fc.record(
      {
        summary: fc.constantFrom('Stand-up', 'Größe "A"\n🎈', ''),
        colorId: fc.constantFrom('3', '11'),
        visibility: fc.constantFrom('private', 'public'),
        attendees: fc.constantFrom([{ email: BOB }], [{ email: BOB }, { email: CAROL, optional: true }]),
        guestsCanSeeOtherGuests: fc.boolean(),
        source: fc.constant({ url: 'https://wiki.example.com/42', title: 'Notes' }),
        reminders: fc.constantFrom({ useDefault: true }, { useDefault: false, overrides: [] }),
        extendedProperties: fc.constant({ private: { desk: '4' }, shared: { project: 'apollo' } }),
        transparency: fc.constant('transparent'),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([when, line, more]) => ({ ...when, ...more, recurrence: [line] }))

const role = fc.constantFrom('freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner')
const viewing = fc.record(
  {
    timeZone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'),
    maxAttendees: fc.constantFrom('1', '2'),
    prettyPrint: fc.constantFrom('true', 'false'),
  },
  { requiredKeys: [] },
)
const FIELDS = [undefined, 'id,start,htmlLink', 'attendees/email,originalStartTime/dateTime,reminders,status']
const WINDOW = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-04-15T00:00:00Z' }
type Item = { id: string; recurringEventId: string }

/** Returns the body of a reply, and checks that its text is the JSON of the body. */
async function getBody(client: Client, path: string, query: Record<string, string>) {
  const { status, body, text } = await client.get(`${path}?${new URLSearchParams(query)}`)
  expect(status, text).toBe(200)
  expect(text).toBe(`${JSON.stringify(body, null, query.prettyPrint === 'false' ? 0 : 1)}\n`)
  return body
}

// Lists cache parts of a series and decide some fields once for all instances, so they are compared with single reads.
test('an unchanged instance is byte-identical in lists, among its series’ instances and on its own', async () => {
  const people = { ...PEOPLE, accounts: [...(PEOPLE.accounts ?? []), { email: 'dan@example.com' }] }
  await fc.assert(
    fc.asyncProperty(
      fc.array(series, { minLength: 1, maxLength: 3 }),
      fc.tuple(role, fc.constantFrom(ALICE, BOB, 'dan@example.com'), fc.constantFrom(ALICE, BOB)),
      fc.array(viewing, { minLength: 2, maxLength: 3 }),
      fc.constantFrom(...FIELDS),
      fc.boolean(),
      async (all, [role, viewer, calendar], viewings, fields, itsOwn) => {
        const { as } = openCalendar({ seed: people })
        for (const one of all) expect((await as(ALICE).post('/calendars/primary/events', one)).status).toBe(200)
        for (const owner of [ALICE, BOB]) {
          if (owner !== viewer) await share(as(owner), owner, viewer, role)
        }
        const events = `/calendars/${calendar}/events`
        const listInstances = async (params: Record<string, string>) => {
          const mask = fields === undefined ? undefined : `items(${fields},id,recurringEventId),nextPageToken`
          const query = { ...params, ...WINDOW, ...(mask && { fields: mask }), maxResults: '2500' }
          const listed: Item[] = (await getBody(as(viewer), events, { ...query, singleEvents: 'true' })).items
          const byStart = await getBody(as(viewer), events, { ...query, singleEvents: 'true', orderBy: 'startTime' })
          const ids = new Set(listed.map(({ recurringEventId }) => recurringEventId))
          const among: Item[] = []
          for (const id of ids) among.push(...(await getBody(as(viewer), `${events}/${id}/instances`, query)).items)
          const one = { ...params, ...(fields && { fields: `${fields},id,recurringEventId` }) }
          const alone: Item[] = []
          for (const { id } of listed) alone.push(await getBody(as(viewer), `${events}/${id}`, one))
          const texts = (items: Item[]) => items.map((item) => JSON.stringify(item)).sort()
          for (const other of [byStart.items, among, alone]) expect(texts(other)).toEqual(texts(listed))
          return listed
        }
        const [first = { id: '' }] = await listInstances(viewings[0] ?? {})
        if (itsOwn && first.id) {
          const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 7 }] }
          const { status } = await as(viewer).patch(`${events}/${first.id}`, { reminders })
          expect([200, 403, 404]).toContain(status)
        }
        for (const params of viewings) await listInstances(params)
      },
    ),
    { numRuns: 15 },
  )
})
