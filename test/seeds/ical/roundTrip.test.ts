import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { fromICalendar } from '../../../src/ical.ts'
import type { Seed } from '../../../src/index.ts'
import { ALICE, at, type Client, openCalendar } from '../../support/calendar.ts'
import { runs } from '../../support/seeded.ts'
import { anySeries, plainSeries, seedOf, seriesOf } from './series.ts'

const BOUNDS = 'timeMin=2025-01-01T00:00:00Z&timeMax=2029-06-01T00:00:00Z'

// biome-ignore lint/suspicious/noExplicitAny: instances are compared as they are shown
type Shown = Record<string, any>

async function instances(client: Client): Promise<Shown[]> {
  const all: Shown[] = []
  let pageToken = ''
  do {
    const page = await client.get(
      `/calendars/primary/events?singleEvents=true&orderBy=startTime&maxResults=2500&${BOUNDS}${pageToken}`,
    )
    all.push(...page.body.items)
    pageToken = page.body.nextPageToken ? `&pageToken=${page.body.nextPageToken}` : ''
  } while (pageToken)
  return all.map(({ id, summary, start, end, iCalUID, originalStartTime, location }) => ({
    ...{ id, summary, start, end, iCalUID, originalStartTime, location },
  }))
}

async function textOf({ fake }: Pick<ReturnType<typeof openCalendar>, 'fake'>): Promise<string> {
  const response = await fake.request(fake.ical(ALICE).private)
  expect(response.status).toBe(200)
  return response.text()
}

const UNCHANGED = { moved: [], deleted: [] }
const changes = fc.record({
  moved: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
  deleted: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 2 }),
})

/** Moves some instances to days of all kinds, and deletes others. */
async function change(client: Client, { moved, deleted }: { moved: number[]; deleted: number[] }): Promise<void> {
  const all = await instances(client)
  for (const [nth, at] of moved.entries()) {
    const one = all[at]
    if (!one) continue
    const times =
      nth === 0 ? {} : { start: { date: '2026-07-07', dateTime: null }, end: { date: '2026-07-08', dateTime: null } }
    const body = { summary: `Moved ${at}`, location: 'Room', ...times }
    expect((await client.patch(`/calendars/primary/events/${one.id}`, body)).status).toBe(200)
  }
  for (const at of deleted) {
    const one = all[at]
    if (one) await client.delete(`/calendars/primary/events/${one.id}`)
  }
}

async function comesBack(seed: Seed, changed: { moved: number[]; deleted: number[] } = UNCHANGED) {
  const target = openCalendar({ seed })
  await change(target.as(ALICE), changed)
  const text = await textOf(target)
  const read = await fromICalendar(text, { owner: ALICE })
  const back = openCalendar({ seed: read })

  // A generated EXDATE may be of a day without an occurrence.
  expect(read.report.filter(({ reason }) => !reason.startsWith('EXDATE'))).toEqual([])
  expect(await instances(back.as(ALICE))).toEqual(await instances(target.as(ALICE)))
  expect(await textOf(back)).toBe(text)
}

test('a written series is read back equal in every instance', async () => {
  await fc.assert(
    fc.asyncProperty(anySeries, changes, (series, changed) => comesBack(seedOf(seriesOf(series)), changed)),
    { numRuns: runs(40) },
  )
}, 600_000)

test('all fields of an event are restored from a file', async () => {
  const target = openCalendar()
  const event = {
    ...{
      summary: 'a, b; c\\\\ "d"\\ne',
      description: 'Text',
      location: 'Room',
      visibility: 'private',
      transparency: 'transparent',
    },
    status: 'tentative',
    start: { dateTime: '2026-03-03T09:00:00Z' },
    end: { dateTime: '2026-03-03T10:00:00Z' },
    attendees: [
      { email: ALICE, responseStatus: 'accepted', organizer: true, self: true },
      {
        email: 'bob@example.com',
        displayName: 'Bob: x',
        optional: true,
        additionalGuests: 2,
        responseStatus: 'needsAction',
      },
      { email: 'room@example.com', resource: true, responseStatus: 'needsAction' },
    ],
    attachments: [{ fileUrl: 'https://example.com/1', title: 'Plan, 1', mimeType: 'text/plain' }],
    reminders: {
      useDefault: false,
      overrides: [
        { method: 'email', minutes: 1501 },
        { method: 'popup', minutes: 0 },
      ],
    },
  }
  const path = '/calendars/primary/events?supportsAttachments=true'
  expect((await target.as(ALICE).post(path, event)).status).toBe(200)
  const back = openCalendar({ seed: await fromICalendar(await textOf(target), { owner: ALICE }) })
  const events = await Promise.all([target, back].map((one) => one.as(ALICE).get('/calendars/primary/events')))
  const [[before], [after]] = events.map(({ body }) =>
    body.items.map((shown: Shown) => Object.keys(event).map((field) => [field, shown[field]])),
  ) as [Shown[], Shown[]]

  expect(after).toEqual(before)
})

/**
 * Returns the starts that ical.js finds, by the zones in the file. It has two defects: it repeats an RDATE that its rule
 * contains too, and an EXDATE removes only one of the two (RFC 5545, section 3.8.5.1, removes the start).
 */
function startsByICAL(text: string, most: number): number[] {
  const calendar = new ICAL.Component(ICAL.parse(text))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const [component] = calendar.getAllSubcomponents('vevent')
  const event = new ICAL.Event(component)
  const all = event.iterator()
  const excluded = new Set(
    event.component.getAllProperties('exdate').flatMap((property) => (property.getValues() as ICAL.Time[]).map(msOf)),
  )
  const starts = new Set<number>()
  for (let next = all.next(); next && starts.size < most; next = all.next())
    if (!excluded.has(msOf(next))) starts.add(msOf(next))
  return [...starts]
}

const msOf = (time: ICAL.Time): number =>
  time.isDate ? Date.UTC(time.year, time.month - 1, time.day) : time.toUnixTime() * 1000

test('an EXDATE removes a start that the rule and an RDATE both contain', async () => {
  const recurrence = ['RRULE:FREQ=WEEKLY;COUNT=4', 'RDATE:20260316T120000Z', 'EXDATE:20260316T120000Z']
  const times = { start: at('2026-03-02T12:00:00', 'UTC'), end: at('2026-03-02T13:00:00', 'UTC') }
  const seed: Seed = {
    accounts: [{ email: ALICE, timeZone: 'UTC' }],
    calendars: [{ id: ALICE, events: [{ id: 'lunch001', recurrence, ...times }] }],
  }
  const target = openCalendar({ seed })
  const days = (await instances(target.as(ALICE))).map(({ start }) => start.dateTime.slice(0, 10))

  expect(days).toEqual(['2026-03-02', '2026-03-09', '2026-03-23'])
  expect(startsByICAL(await textOf(target), 20).map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual(days)
})

test('ical.js finds the same instances in a written file', async () => {
  await fc.assert(
    fc.asyncProperty(plainSeries, async (series) => {
      const target = openCalendar({ seed: seedOf(seriesOf(series)) })
      const found = await instances(target.as(ALICE))
      const ours = found.map(({ start }) => Date.parse(start.dateTime ?? `${start.date}T00:00:00Z`)).slice(0, 20)
      expect(startsByICAL(await textOf(target), 20).slice(0, ours.length)).toEqual(ours)
    }),
    { numRuns: runs(40) },
  )
}, 600_000)
