import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Anonymizer } from '../../../src/cli/capture/anonymize.ts'
import type { Seed } from '../../../src/index.ts'
import { ALICE, BOB, openCalendar } from '../../support/calendar.ts'
import team from '../../support/team.json' with { type: 'json' }
import { captureWorld, openWorld, readView } from './world.ts'

const anonymizeSeed = (seed: Seed): Seed => new Anonymizer(seed).replaceTexts(seed) as Seed

const toJson = (value: unknown): string => JSON.stringify(value)

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
  expect(own?.id).toBe('c_calendar1@group.calendar.google.com')
  expect(event).toMatchObject({
    recurrence: ['RRULE:FREQ=DAILY'],
    visibility: 'private',
    start: { date: '2026-03-02' },
  })
  expect(event?.id).toBe('event1_20260302T090000Z')
  expect(event?.iCalUID).toBe('event1@google.com')
  expect(event?.conferenceData).toEqual({
    conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
    entryPoints: [{ entryPointType: 'phone', uri: 'tel:+0-000-0001', regionCode: 'US' }],
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
