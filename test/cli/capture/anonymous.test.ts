import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anonymized } from '../../../src/cli/capture/anonymous.ts'
import type { Seed } from '../../../src/index.ts'
import { ALICE, BOB, openCalendar } from '../../support/calendar.ts'
import { captured, seen, worldOf } from './world.ts'

const text = (value: unknown): string => JSON.stringify(value)

/** Words as people use them, none of which the form of a seed has. */
const word = fc.stringMatching(/^[a-zA-ZäöüßéñøЖдиω日本語]{3,14}$/).map((letters) => `zq${letters}`)
const words = fc.array(fc.oneof(word, fc.integer({ min: 10_000, max: 99_999_999 }).map(String)), {
  minLength: 1,
  maxLength: 5,
})
const phrase = fc
  .tuple(words, fc.constantFrom(' ', ', ', '-', ' 🎂 ', '\n', '/', '_'))
  .map(([all, mark]) => all.join(mark))
const latin = fc.stringMatching(/^[a-z]{3,10}$/).map((letters) => `zq${letters}`)
const address = fc.tuple(latin, latin).map(([name, domain]) => `${name}@${domain}.zqcom`)
const link = fc.tuple(latin, latin).map(([host, path]) => `https://${host}.zqnet/${path}?q=${path}`)

/** A world in which every field that holds somebody's words does. */
const world = fc
  .record({
    owner: address,
    guest: address,
    title: phrase,
    about: phrase,
    where: phrase,
    link,
    name: phrase,
    key: phrase,
  })
  .filter(({ owner, guest }) => owner !== guest)
  .map(
    ({ owner, guest, title, about, where, link, name, key }): Seed => ({
      accounts: [
        {
          email: owner,
          displayName: name,
          timeZone: 'Europe/Berlin',
          settings: { weekStart: '1' },
          calendarList: [{ id: owner, summaryOverride: title, selected: true }],
          reminders: [
            { calendarId: `c_${'1a'.repeat(8)}@group.calendar.google.com`, eventId: 'mine0', useDefault: false },
          ],
        },
      ],
      groups: [{ email: guest, members: [owner] }],
      calendars: [
        {
          id: owner,
          summary: title,
          acl: [{ role: 'reader', scope: { type: 'domain', value: guest.split('@')[1] ?? '' } }],
        },
        {
          id: `c_${'1a'.repeat(8)}@group.calendar.google.com`,
          owner,
          summary: name,
          description: about,
          location: where,
          acl: [{ role: 'reader', scope: { type: 'user', value: guest } }],
          events: [
            {
              id: 'mine0',
              summary: title,
              description: `<b>${about}</b> <a href="${link}">${guest}</a>`,
              location: where,
              start: { dateTime: '2026-03-02T09:00:00', timeZone: 'Europe/Berlin' },
              end: { dateTime: '2026-03-02T10:00:00', timeZone: 'Europe/Berlin' },
              recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
              creator: { email: guest, displayName: name },
              attendees: [{ email: guest, displayName: name, comment: about, responseStatus: 'accepted' }],
              source: { url: link, title },
              attachments: [{ fileUrl: link, title }],
              extendedProperties: {
                private: { status: 'confirmed', note: key },
                shared: { date: '2026-03-02', note: key },
              },
              conferenceData: {
                conferenceSolution: { key: { type: 'addOn' }, name: title },
                entryPoints: [{ entryPointType: 'video', uri: link, label: link, meetingCode: key.slice(0, 10) }],
                notes: about,
              },
            },
            {
              recurringEventId: 'mine0',
              originalStartTime: { dateTime: '2026-03-09T09:00:00', timeZone: 'Europe/Berlin' },
              summary: about,
            },
          ],
        },
      ],
    }),
  )

/** The words and numbers of three signs and more in whatever stands where people write. */
function originals(seed: Seed): string[] {
  const all: string[] = []
  JSON.parse(text(seed), (_, value) => {
    if (typeof value === 'string') all.push(...(value.match(/zq[\p{L}\p{M}]+|\d{5,}/giu) ?? []))
    return value
  })
  return [...new Set(all.map((one) => one.toLowerCase()))]
}

/** The lengths of all texts, in their order. */
function lengths(seed: Seed): number[] {
  const all: number[] = []
  JSON.parse(text(seed), (_, value) => {
    if (typeof value === 'string') all.push(value.length)
    return value
  })
  return all
}

test('no word and no number of an original is left, every text is as long as it was, and the world loads', () => {
  fc.assert(
    fc.property(world, (seed) => {
      const standIn = anonymized(seed)
      const left = originals(seed).filter((one) => text(standIn).toLowerCase().includes(one))

      expect(left).toEqual([])
      expect(lengths(standIn)).toEqual(lengths(seed))
      openCalendar({ seed: standIn })
    }),
    { numRuns: Number(process.env.RUNS ?? 100) },
  )
}, 120_000)

test('who and what is the same stays the same, and what is another stays another', async () => {
  const there = openCalendar({ seed: 'team', now: '2026-01-05T12:00:00Z' })
  const { seed } = await captured(there.fake, ['alice@example.com'])
  const standIn = anonymized(seed)
  const [alice] = standIn.accounts ?? []
  const email = alice?.email ?? ''
  const domains = new Set(standIn.accounts?.map((account) => account.email.split('@')[1]))
  const [before, after] = [await seen(there, 'alice@example.com'), await seen(worldOf(standIn), email)]
  const shape = (calendars: Record<string, unknown>) =>
    Object.values(calendars)
      .map((calendar) => {
        const { instances, busy } = calendar as { instances: { start: unknown; end: unknown }[]; busy: object }
        return text([instances.map(({ start, end }) => text([start, end])).sort(), Object.values(busy)])
      })
      .sort()

  expect(email).toMatch(/^[a-v]{5}@[a-v]{7}\.[a-v]{3}$/)
  expect(domains.size).toBe(1)
  expect(shape(after.calendars)).toEqual(shape(before.calendars))
  expect(new Set(standIn.calendars?.map(({ id }) => id)).size).toBe(seed.calendars?.length)
  expect(anonymized(seed)).toEqual(standIn)
})

test('the service’s own stays: domains of its calendars, holidays, Meet, times, rules and roles', () => {
  const standIn = anonymized({
    accounts: [{ email: ALICE }],
    calendars: [
      { id: 'en.usa#holiday@group.v.calendar.google.com' },
      {
        id: 'c_abc@group.calendar.google.com',
        owner: ALICE,
        events: [
          {
            id: 'abcde_20260302T090000Z',
            iCalUID: 'abcde@google.com',
            recurrence: ['RRULE:FREQ=DAILY'],
            visibility: 'private',
            start: { date: '2026-03-02' },
            conferenceData: {
              conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
              entryPoints: [{ entryPointType: 'video', uri: 'https://meet.google.com/abc-defg-hij' }],
            },
          },
        ],
      },
    ],
  })
  const [holidays, own] = standIn.calendars ?? []
  const [event] = own?.events ?? []

  expect(holidays?.id).toBe('en.usa#holiday@group.v.calendar.google.com')
  expect(own?.id).toMatch(/^[a-v]_(?!abc)[a-v]{3}@group\.calendar\.google\.com$/)
  expect(event).toMatchObject({
    recurrence: ['RRULE:FREQ=DAILY'],
    visibility: 'private',
    start: { date: '2026-03-02' },
  })
  expect(event?.id).toMatch(/^(?!abcde)[a-v]{5}_20260302T090000Z$/)
  expect(`${event?.id?.slice(0, 5)}@google.com`).toBe(event?.iCalUID)
  expect(event?.conferenceData?.conferenceSolution?.name).toBe('Google Meet')
  expect(event?.conferenceData?.entryPoints?.[0]?.uri).toMatch(
    /^https:\/\/meet\.google\.com\/[a-v]{3}-[a-v]{4}-[a-v]{3}$/,
  )
})

test('words that a field of clients’ own holds go, whatever they look like', () => {
  const shared = { status: 'confirmed', timeZone: 'Europe/Berlin', date: '2026-03-02' }
  const standIn = anonymized({ calendars: [{ id: BOB, events: [{ extendedProperties: { shared } }] }] })
  const values = Object.values(standIn.calendars?.[0]?.events?.[0]?.extendedProperties?.shared ?? {})

  expect(values.filter((value) => Object.values(shared).includes(String(value)))).toEqual([])
  expect(values.map((value) => String(value).length)).toEqual(Object.values(shared).map(({ length }) => length))
})
