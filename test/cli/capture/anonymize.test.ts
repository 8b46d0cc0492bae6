import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anonymize } from '../../../src/cli/capture/anonymize.ts'
import { openRandom } from '../../../src/cli/capture/random.ts'
import { TITLES } from '../../../src/cli/capture/wordLists.ts'
import type { Seed } from '../../../src/index.ts'
import { ALICE, BOB, openCalendar } from '../../support/calendar.ts'
import { runs } from '../../support/seeded.ts'
import team from '../../support/team.json' with { type: 'json' }
import { captureWorld, openWorld, readView } from './world.ts'

const anonymizeSeed = (seed: Seed, randomSeed?: string): Seed => anonymize(seed, openRandom(randomSeed)).seed

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
const link = fc.tuple(latin, latin).map(([host, path]) => `https://${host}.zqnet/${path}?q=${path}`)

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
                shared: { date: '2026-03-02', [key.slice(0, 40)]: key },
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

/** Returns the words and numbers of three or more characters in all texts that people write. */
function listOriginals(seed: Seed): string[] {
  const all: string[] = []
  JSON.parse(toJson(seed), (_, value) => {
    if (typeof value === 'string') all.push(...(value.match(/zq[\p{L}\p{M}]+|\d{5,}/giu) ?? []))
    return value
  })
  return [...new Set(all.map((one) => one.toLowerCase()))]
}

test('the anonymized world contains no word and no number of the original, and loads', () => {
  fc.assert(
    fc.property(world, (seed) => {
      const standIns = ['one', 'two'].map((randomSeed) => anonymizeSeed(seed, randomSeed))
      const texts = standIns.map((standIn) => toJson(standIn).toLowerCase())
      // No stand-in is a word of these originals. Random digits can equal an original's by chance, but not twice.
      const [words, numbers] = [/\D/, /^\d+$/].map((form) => listOriginals(seed).filter((one) => form.test(one))) as [
        string[],
        string[],
      ]
      const left = [
        ...words.filter((one) => texts.some((standIn) => standIn.includes(one))),
        ...numbers.filter((one) => texts.every((standIn) => standIn.includes(one))),
      ]

      expect(left).toEqual([])
      for (const standIn of standIns) openCalendar({ seed: standIn })
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

  expect(email).toMatch(/^[a-z]+\.[a-z]+@[a-z]+\.example$/)
  expect(domains.size).toBe(1)
  expect(shape(after.calendars)).toEqual(shape(before.calendars))
  expect(new Set(standIn.calendars?.map(({ id }) => id)).size).toBe(seed.calendars?.length)
})

test('values of the service are kept: domains of its calendars, holidays, Meet, times, rules and roles', () => {
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
  expect(own?.id).toMatch(/^c_(?!abc)[a-v\d]{3}@group\.calendar\.google\.com$/)
  expect(event).toMatchObject({
    recurrence: ['RRULE:FREQ=DAILY'],
    visibility: 'private',
    start: { date: '2026-03-02' },
  })
  expect(event?.id).toMatch(/^(?!abcde)[a-v\d]{5}_20260302T090000Z$/)
  expect(`${event?.id?.slice(0, 5)}@google.com`).toBe(event?.iCalUID)
  expect(event?.conferenceData?.conferenceSolution?.name).toBe('Google Meet')
  expect(event?.conferenceData?.entryPoints?.[0]?.uri).toMatch(
    /^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/,
  )
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

const meeting = (nth: number): NonNullable<NonNullable<Seed['calendars']>[number]['events']>[number] => ({
  summary: `Planning ${nth} with Northwind`,
  description: `Meeting ID: ${200 + nth} ${300 + nth} ${400 + nth} 123\nCall 06 12 34 56 ${10 + (nth % 90)}`,
  start: { date: '2026-03-02' },
  end: { date: '2026-03-03' },
})
const meetings = (count: number): Seed => ({
  accounts: [{ email: ALICE }],
  calendars: [{ id: ALICE, events: Array.from({ length: count }, (_, nth) => meeting(nth)) }],
})

test('the work is linear in the number of events', () => {
  const drawsFor = (count: number) => {
    let draws = 0
    const random = openRandom('1')
    anonymize(meetings(count), () => {
      draws++
      return random()
    })
    return draws
  }
  const [once, twice, fourTimes] = [drawsFor(400), drawsFor(800), drawsFor(1600)]

  expect(twice - once).toBeLessThan(400 * 60)
  expect(fourTimes - twice).toBeLessThan((twice - once) * 2.5)
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

test('each run chooses other stand-ins, and a random seed repeats them', () => {
  const seed = meetings(20)

  expect(anonymizeSeed(seed, '7')).toEqual(anonymizeSeed(seed, '7'))
  expect(toJson(anonymizeSeed(seed, '7'))).not.toBe(toJson(anonymizeSeed(seed, '8')))
  expect(toJson(anonymizeSeed(seed))).not.toBe(toJson(anonymizeSeed(seed)))
})

test('digits are replaced: the same number gets other digits in each run, at other distances', () => {
  const phone = (randomSeed: string) =>
    /\d\d(?: \d\d){4}$/.exec(
      anonymizeSeed(meetings(1), randomSeed).calendars?.[0]?.events?.[0]?.description ?? '',
    )?.[0] ?? ''
  const phones = Array.from({ length: 40 }, (_, nth) => phone(`${nth}`))
  const shifts = new Set(phones.map((one) => (Number(one[0]) + 10) % 10))

  expect(phones.every((one) => one.length === 14)).toBe(true)
  expect(new Set(phones).size).toBe(40)
  expect(shifts.size).toBeGreaterThan(6)
  // Equal digits must not stay equal.
  expect(phones.filter((one) => one[1] === one[5])).not.toHaveLength(40)
})

test('titles are chosen from lists by the type of event, and people and companies have one name throughout', () => {
  const times = { start: { dateTime: '2026-03-02T09:00:00Z' }, end: { dateTime: '2026-03-02T10:00:00Z' } }
  const attendees = [{ email: ALICE }, { email: 'quirin@zqworks.example', displayName: 'Quirin Zq' }]
  const standIn = anonymizeSeed({
    accounts: [{ email: ALICE }],
    calendars: [
      {
        id: ALICE,
        events: [
          { summary: 'Zq and Quirin', description: 'Ask Quirin Zq, quirin@zqworks.example', ...times, attendees },
          { summary: 'Zq alone', ...times },
        ],
      },
    ],
  })
  const [together, alone] = standIn.calendars?.[0]?.events ?? []
  const guest = together?.attendees?.[1]
  const [first = ''] = guest?.displayName?.split(' ') ?? []

  expect(guest?.displayName).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
  expect(guest?.email).toMatch(/^[a-z]+\.[a-z]+@[a-z]+\.example$/)
  expect(guest?.email).toBe(`${guest?.displayName?.toLowerCase().replace(' ', '.')}@${guest?.email?.split('@')[1]}`)
  expect(TITLES.oneToOne.map((title) => title.replace('{name}', first))).toContain(together?.summary)
  expect(TITLES.personal).toContain(alone?.summary)
  expect(together?.description).toContain(guest?.displayName)
  expect(together?.description).toContain(guest?.email)
})

test('the example of docs/guides/your-calendar.md is up to date', () => {
  const [before = '', after = ''] = [
    ...readFileSync('docs/guides/your-calendar.md', 'utf8').matchAll(/```json\n(.*?)```/gs),
  ].map(([, block = '']) => block)
  const seed: Seed = { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events: [JSON.parse(before)] }] }

  expect(anonymizeSeed(seed, '1').calendars?.[0]?.events?.[0]).toEqual(JSON.parse(after))
})
