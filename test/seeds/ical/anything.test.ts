import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromICalendar } from '../../../src/ical.ts'
import { ALICE, openCalendar } from '../../support/calendar.ts'
import { runs } from '../../support/seeded.ts'
import { calendar } from './importEvents.ts'

const stamp = fc.constantFrom(
  ...['20260302T090000Z', '20260302T090000', '20260302', '20260309T090000Z', '20260316', '20260302T240000', '00010101'],
  ...[
    '99991231T235959Z',
    '99991231',
    '20260230',
    '',
    'garbage',
    '19760401T005545Z',
    '20260329T023000',
    '20261025T023000',
  ],
)
const zoned = fc.constantFrom(
  ...[
    '',
    '',
    ';VALUE=DATE',
    ';VALUE=DATE-TIME',
    ';TZID=Europe/Berlin',
    ';TZID=Romance Standard Time',
    ';TZID=Mars',
    ';TZID="(UTC) X"',
  ],
)
const dated = (name: string) => fc.tuple(zoned, stamp).map(([zone, value]) => `${name}${zone}:${value}`)
const part = fc.constantFrom(
  ...[
    'INTERVAL=2',
    'COUNT=5',
    'COUNT=0',
    'UNTIL=20260401',
    'UNTIL=20260401T000000Z',
    'UNTIL=x',
    'BYDAY=MO,TU',
    'BYDAY=1MO',
  ],
  ...[
    'BYDAY=XX',
    'BYMONTHDAY=31',
    'BYMONTH=2',
    'BYMONTH=13',
    'BYSETPOS=-1',
    'BYWEEKNO=53',
    'BYYEARDAY=366',
    'WKST=SU',
    'X=1',
  ],
)
const rule = fc
  .tuple(fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'HOURLY', ''), fc.array(part, { maxLength: 4 }))
  .map(([frequency, parts]) => `RRULE:${[`FREQ=${frequency}`, ...parts].join(';')}`)
const other = fc.constantFrom(
  ...[
    'ORGANIZER:mailto:eve@example.net',
    'ORGANIZER:nobody',
    'ATTENDEE:mailto:bob@example.com',
    'ATTENDEE:mailto:a@b@c',
  ],
  ...['ATTENDEE;CUTYPE=ROOM;X-NUM-GUESTS=999999999:mailto:room@example.com', 'STATUS:CANCELLED', 'STATUS:TENTATIVE'],
  ...[
    'CLASS:PRIVATE',
    'URL:ftp://x',
    'URL:https://x',
    'ATTACH:https://x',
    'SEQUENCE:-1',
    'SEQUENCE:99999999999',
    'DURATION:P',
  ],
  ...[
    'DURATION:PT1H',
    'DURATION:-PT1H',
    'DURATION:P999999D',
    'X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij',
  ],
  ...['X-GOOGLE-CONFERENCE:x', `CONFERENCE:https://${'x'.repeat(1400)}`, 'BEGIN:VALARM', 'TRIGGER:-PT5M', 'END:VALARM'],
  ...[
    'CREATED:20200101',
    'CREATED:x',
    'EXRULE:FREQ=DAILY',
    'SUMMARY;LANGUAGE=de:Ü',
    'END:VEVENT',
    'BEGIN:VEVENT',
    ' folded',
  ],
)
const line = fc.oneof(
  { weight: 4, arbitrary: other },
  { weight: 2, arbitrary: rule },
  ...['DTEND', 'RDATE', 'EXDATE'].map((name) => ({ weight: 1, arbitrary: dated(name) })),
  { weight: 1, arbitrary: dated('RECURRENCE-ID') },
  { weight: 1, arbitrary: stamp.map((value) => `RECURRENCE-ID;RANGE=THISANDFUTURE:${value}`) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
)
const anEvent = fc
  .tuple(fc.constantFrom('one', 'one', 'two', ''), dated('DTSTART'), fc.array(line, { maxLength: 8 }))
  .map(([uid, start, lines]) => ['BEGIN:VEVENT', ...(uid ? [`UID:${uid}`] : []), start, ...lines, 'END:VEVENT'])

test('any file of events results in a valid seed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anEvent, { minLength: 1, maxLength: 5 }), async (events) => {
      const seed = await fromICalendar(calendar(...events.flat()), { owner: ALICE })
      const { fake, as } = openCalendar({ seed })
      const path =
        '/calendars/primary/events?singleEvents=true&timeMin=2026-01-01T00:00:00Z&timeMax=2027-01-01T00:00:00Z'
      expect((await as(ALICE).get(path)).status).toBe(200)
      const written = await fake.request(fake.ical(ALICE).private)
      const again = await fromICalendar(await written.text(), { owner: ALICE })
      expect(openCalendar({ seed: again }).fake.worlds()).toEqual(['default'])
    }),
    { numRuns: runs(100) },
  )
}, 600_000)
