import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Anonymizer } from '../../../src/cli/capture/anonymize.ts'
import type { Seed } from '../../../src/index.ts'
import { ALICE, BOB, openCalendar } from '../../support/calendar.ts'
import { runs } from '../../support/seeded.ts'
import team from '../../support/team.json' with { type: 'json' }
import { captureWorld, openWorld, readView } from './world.ts'

const anonymizeSeed = (seed: Seed): Seed => new Anonymizer(seed).replaceTexts(seed) as Seed

const toJson = (value: unknown): string => JSON.stringify(value)

/** Words that do not occur in the structure of a seed. */
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
const scheme = fc.constantFrom('https://', 'https://meet.google.com/')
const link = fc.tuple(scheme, latin, latin).map(([start, host, path]) => `${start}${host}.zqnet/${path}?q=${path}`)
/** Ids in the characters of event ids, without z; `listOriginals` finds them by their prefix. */
const id = fc.stringMatching(/^[a-v0-9]{5,12}$/).map((rest) => `qq${rest}`)

/** A world in which every text field contains words. */
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
    id,
    secondary: id,
    label: fc.stringMatching(/^[a-f]{8}$/).map((start) => `${start}-abcd-4bcd-8bcd-abcdefabcdef`),
    uid: fc.tuple(latin, latin).map(([name, domain]) => `${name}@${domain}.zqcom`),
  })
  .filter(({ owner, guest, id, secondary }) => owner !== guest && id !== secondary)
  .map(
    ({ owner, guest, title, about, where, link, name, key, id, secondary, label, uid }): Seed => ({
      accounts: [
        {
          email: owner,
          displayName: name,
          timeZone: 'Europe/Berlin',
          settings: { weekStart: '1' },
          calendarList: [{ id: owner, summaryOverride: title, selected: true }],
          reminders: [{ calendarId: `c_${secondary}@group.calendar.google.com`, eventId: id, useDefault: false }],
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
          id: `c_${secondary}@group.calendar.google.com`,
          owner,
          summary: name,
          labelProperties: { eventLabels: [{ id: label, name: title, backgroundColor: '#ff0000' }] },
          description: about,
          location: where,
          acl: [{ role: 'reader', scope: { type: 'user', value: guest } }],
          events: [
            {
              id,
              iCalUID: uid,
              eventLabelId: label,
              summary: title,
              description: `<b>${about}</b> <a href="${link}">${guest}</a>`,
              location: where,
              start: { dateTime: '2026-03-02T09:00:00', timeZone: 'Europe/Berlin' },
              end: { dateTime: '2026-03-02T10:00:00', timeZone: 'Europe/Berlin' },
              recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
              creator: { email: guest, displayName: name },
              attendees: [{ email: guest, displayName: name, comment: about, responseStatus: 'accepted' }],
              source: { url: link, title },
              attachments: [{ fileUrl: link, title, fileId: id, iconLink: link }],
              extendedProperties: {
                private: { status: 'confirmed', note: key },
                shared: { date: '2026-03-02', [key.slice(0, 40)]: key },
              },
              conferenceData: {
                conferenceSolution: { key: { type: 'addOn' }, name: title },
                entryPoints: [{ entryPointType: 'video', uri: link, label: link, meetingCode: key.slice(0, 10) }],
                notes: about,
              },
            },
            {
              recurringEventId: id,
              originalStartTime: { dateTime: '2026-03-09T09:00:00', timeZone: 'Europe/Berlin' },
              summary: about,
            },
          ],
        },
      ],
    }),
  )

/** Returns the words, ids and numbers of a seed that its structure does not contain, in lower case. */
function listOriginals(seed: Seed): string[] {
  const all: string[] = []
  const collect = (text: string) =>
    all.push(...(text.match(/zq[\p{L}\p{M}]+|qq[a-v\d]{5,}|[a-f]{8}(?=-)|\d{5,}/giu) ?? []))
  JSON.parse(toJson(seed), (key, value) => {
    collect(key)
    if (typeof value === 'string') collect(value)
    return value
  })
  return [...new Set(all.map((one) => one.toLowerCase()))]
}

test('no word of a title, name, address, place, link, attachment, property or id is left, and the result loads', () => {
  fc.assert(
    fc.property(world, (seed) => {
      const standIn = anonymizeSeed(seed)
      const text = toJson(standIn).toLowerCase()
      const originals = listOriginals(seed)

      expect(originals.length).toBeGreaterThan(8)
      expect(originals.filter((one) => text.includes(one))).toEqual([])
      expect(text).not.toMatch(/zq|qq/)
      openCalendar({ seed: standIn })
    }),
    { numRuns: runs(50) },
  )
}, 120_000)

test('equal values stay equal, and different values stay different', async () => {
  const target = openCalendar({ seed: team as Seed, now: '2026-01-05T12:00:00Z' })
  const { seed } = await captureWorld(target.fake, ['alice@example.com'])
  const standIn = anonymizeSeed(seed)
  const [alice] = standIn.accounts ?? []
  const email = alice?.email ?? ''
  const domains = new Set(standIn.accounts?.map((account) => account.email.split('@')[1]))
  const [before, after] = [await readView(target, 'alice@example.com'), await readView(openWorld(standIn), email)]
  const shape = (calendars: Record<string, unknown>) =>
    Object.values(calendars)
      .map((calendar) => {
        const { instances, busy } = calendar as { instances: { start: unknown; end: unknown }[]; busy: object }
        return toJson([instances.map(({ start, end }) => toJson([start, end])).sort(), Object.values(busy)])
      })
      .sort()

  expect(email).toBe('person1@example.com')
  expect(domains.size).toBe(1)
  expect(shape(after.calendars)).toEqual(shape(before.calendars))
  expect(new Set(standIn.calendars?.map(({ id }) => id)).size).toBe(seed.calendars?.length)
})

test('values of the service are kept: domains of its calendars, holidays, kinds, times and rules', () => {
  const standIn = anonymizeSeed({
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
              entryPoints: [{ entryPointType: 'phone', uri: 'tel:+1-555-0142', regionCode: 'US' }],
            },
          },
        ],
      },
    ],
  })
  const [holidays, own] = standIn.calendars ?? []
  const [event] = own?.events ?? []

  expect(holidays?.id).toBe('en.usa#holiday@group.v.calendar.google.com')
  expect(own?.id).toBe('calendar1@group.calendar.google.com')
  expect(event).toMatchObject({
    recurrence: ['RRULE:FREQ=DAILY'],
    visibility: 'private',
    start: { date: '2026-03-02' },
  })
  expect(event?.id).toBe('event1_20260302T090000Z')
  expect(event?.iCalUID).toBe('event1@google.com')
  expect(event?.conferenceData).toEqual({
    conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
    entryPoints: [{ entryPointType: 'phone', uri: 'tel:link1', regionCode: 'US' }],
  })
})

test('names and values of extended properties and of gadget preferences are replaced in any form', () => {
  const shared = { status: 'confirmed', timeZone: 'Europe/Berlin', date: '2026-03-02', customerOfAcme: '4711' }
  const gadget = { preferences: { acmeAccount: 'acme' } }
  const standIn = anonymizeSeed({ calendars: [{ id: BOB, events: [{ extendedProperties: { shared }, gadget }] }] })
  const [event] = standIn.calendars?.[0]?.events ?? []
  const properties = Object.entries(event?.extendedProperties?.shared ?? {})

  expect(properties).toHaveLength(4)
  const originals = [...Object.keys(shared), ...Object.values(shared)]
  expect(properties.flat().filter((one) => originals.includes(String(one)))).toEqual([])
  expect(toJson(event?.gadget)).not.toMatch(/acme/i)
})

test('a label with a number that the seed contains is not used as a stand-in', () => {
  const events = [{ summary: 'Tea' }, { summary: 'Meeting 1' }, { summary: 'meeting 3\nnotes' }]
  const standIn = anonymizeSeed({ calendars: [{ id: 'Person2@example.com', events }] })

  expect(standIn.calendars?.[0]?.events?.map(({ summary }) => summary)).toEqual(['Meeting 2', 'Meeting 4', 'Meeting 5'])
  expect(standIn.calendars?.[0]?.id).toBe('person1@example.com')
})

test('addresses of one domain stay in one domain, which a rule for the domain names', () => {
  const value = 'zqworks.com'
  const [calendar] =
    anonymizeSeed({
      accounts: [{ email: ALICE }, { email: `zoe@${value}` }],
      calendars: [{ id: ALICE, acl: [{ role: 'reader', scope: { type: 'domain', value } }] }],
    }).calendars ?? []

  expect(calendar).toEqual({
    id: 'person1@example.com',
    acl: [{ role: 'reader', scope: { type: 'domain', value: 'domain2.example' } }],
  })
})

test('a text of one endless word, of brackets or of dots takes one pass', () => {
  for (const sign of ['a', '<', '.', '@', '(', '1', ';TZID=A', '<a '])
    anonymizeSeed({
      calendars: [
        {
          id: ALICE,
          events: [{ description: `${sign.repeat(400_000)} b`, recurrence: [`RRULE:${sign.repeat(5000)}!`] }],
        },
      ],
    })
})

test('a person has one number in names and addresses, and equal titles have one number', () => {
  const attendees = [{ email: ALICE }, { email: 'quirin@zqworks.com', displayName: 'Quirin Zq' }]
  const events = [{ summary: 'Zq', attendees, location: 'Zq hall' }, { summary: 'Zq alone' }, { summary: 'Zq' }]
  const standIn = anonymizeSeed({
    accounts: [{ email: ALICE, displayName: 'Alice Zq' }],
    calendars: [{ id: ALICE, events }],
  })

  expect(standIn.accounts).toEqual([{ email: 'person1@example.com', displayName: 'Person 1' }])
  expect(standIn.calendars?.[0]?.events).toEqual([
    {
      summary: 'Meeting 1',
      attendees: [{ email: 'person1@example.com' }, { email: 'person2@domain2.example', displayName: 'Person 2' }],
      location: 'Place 1',
    },
    { summary: 'Meeting 2' },
    { summary: 'Meeting 1' },
  ])
})

test('the example of docs/guides/your-calendar.md is up to date', () => {
  const [before = '', after = ''] = [
    ...readFileSync('docs/guides/your-calendar.md', 'utf8').matchAll(/```json\n(.*?)```/gs),
  ].map(([, block = '']) => block)
  const seed: Seed = { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events: [JSON.parse(before)] }] }

  expect(anonymizeSeed(seed).calendars?.[0]?.events?.[0]).toEqual(JSON.parse(after))
})
