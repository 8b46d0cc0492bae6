import { expect, test } from 'vitest'
import { ALICE } from '../../support/calendar.ts'
import { read } from './importEvents.ts'

/** A weekly meeting on Mondays at 9:00 in Berlin from 2026-07-06 with one moved instance, as each program writes it. */
const text = (...lines: string[]) => `${lines.join('\r\n')}\r\n`
const BERLIN = (tzid: string, year: string) => [
  ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', `DTSTART:${year}1025T030000`, 'TZOFFSETFROM:+0200'],
  ...['TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD', 'BEGIN:DAYLIGHT'],
  ...[`DTSTART:${year}0329T020000`, 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'],
  ...['END:DAYLIGHT', 'END:VTIMEZONE'],
]

const APPLE = text(
  ...['BEGIN:VCALENDAR', 'CALSCALE:GREGORIAN', 'PRODID:-//Apple Inc.//macOS 14.4//EN', 'VERSION:2.0'],
  ...['X-APPLE-CALENDAR-COLOR:#FF2968', 'X-WR-CALNAME:Work', ...BERLIN('Europe/Berlin', '1996')],
  ...['BEGIN:VEVENT', 'CREATED:20260701T080000Z', 'UID:A1B2', 'RRULE:FREQ=WEEKLY;UNTIL=20260719T215959Z'],
  ...['DTEND;TZID=Europe/Berlin:20260706T100000', 'TRANSP:OPAQUE', 'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC'],
  ...['SUMMARY:Weekly', 'DTSTART;TZID=Europe/Berlin:20260706T090000', 'DTSTAMP:20260701T080001Z', 'SEQUENCE:1'],
  ...[
    'BEGIN:VALARM',
    'X-WR-ALARMUID:C3',
    'UID:C3',
    'TRIGGER;VALUE=DATE-TIME:19760401T005545Z',
    'ACTION:NONE',
    'END:VALARM',
  ],
  ...['END:VEVENT', 'BEGIN:VEVENT', 'UID:A1B2', 'RECURRENCE-ID;TZID=Europe/Berlin:20260713T090000', 'SEQUENCE:0'],
  ...['DTSTART;TZID=Europe/Berlin:20260713T110000', 'DTEND;TZID=Europe/Berlin:20260713T120000', 'SUMMARY:Weekly'],
  ...['END:VEVENT', 'END:VCALENDAR'],
)

const GOOGLE = text(
  ...['BEGIN:VCALENDAR', 'PRODID:-//Google Inc//Google Calendar 70.9054//EN', 'VERSION:2.0', 'CALSCALE:GREGORIAN'],
  ...['METHOD:PUBLISH', `X-WR-CALNAME:${ALICE}`, 'X-WR-TIMEZONE:Europe/Berlin', ...BERLIN('Europe/Berlin', '1970')],
  ...['BEGIN:VEVENT', 'DTSTART;TZID=Europe/Berlin:20260706T090000', 'DTEND;TZID=Europe/Berlin:20260706T100000'],
  ...[
    'RRULE:FREQ=WEEKLY;WKST=SU;COUNT=2;BYDAY=MO',
    'DTSTAMP:20260701T080000Z',
    `ORGANIZER;CN=${ALICE}:mailto:${ALICE}`,
  ],
  ...['UID:0123456789abcdefghijklmnop@google.com', 'SUMMARY:Weekly', 'STATUS:CONFIRMED', 'END:VEVENT', 'BEGIN:VEVENT'],
  ...['DTSTART;TZID=Europe/Berlin:20260713T110000', 'DTEND;TZID=Europe/Berlin:20260713T120000'],
  ...[
    'UID:0123456789abcdefghijklmnop@google.com',
    'RECURRENCE-ID;TZID=Europe/Berlin:20260713T090000',
    'SUMMARY:Weekly',
  ],
  ...['END:VEVENT', 'END:VCALENDAR'],
)

const OUTLOOK = text(
  ...['BEGIN:VCALENDAR', 'PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN', 'VERSION:2.0', 'METHOD:PUBLISH'],
  ...['X-MS-OLK-FORCEINSPECTOROPEN:TRUE', ...BERLIN('W. Europe Standard Time', '1601'), 'BEGIN:VEVENT', 'CLASS:PUBLIC'],
  ...['UID:040000008200E00074C5B7101A82E008', 'DTSTART;TZID="W. Europe Standard Time":20260706T090000'],
  ...['DTEND;TZID="W. Europe Standard Time":20260706T100000', 'RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=MO', 'PRIORITY:5'],
  ...['SUMMARY;LANGUAGE=de:Weekly', 'DESCRIPTION:\\n', 'X-ALT-DESC;FMTTYPE=text/html:<html><body>x</body></html>'],
  ...['X-MICROSOFT-CDO-BUSYSTATUS:BUSY', 'BEGIN:VALARM', 'TRIGGER:-PT15M', 'ACTION:DISPLAY', 'DESCRIPTION:Reminder'],
  ...[
    'END:VALARM',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:040000008200E00074C5B7101A82E008',
    'RECURRENCE-ID:20260713T070000Z',
  ],
  ...['DTSTART;TZID="W. Europe Standard Time":20260713T110000', 'DTEND;TZID="W. Europe Standard Time":20260713T120000'],
  ...['SUMMARY;LANGUAGE=de:Weekly', 'END:VEVENT', 'END:VCALENDAR'],
)

const EXCHANGE = text(
  ...[
    'BEGIN:VCALENDAR',
    'METHOD:PUBLISH',
    'PRODID:Microsoft Exchange Server 2010',
    'VERSION:2.0',
    'X-WR-CALNAME:Kalender',
  ],
  ...BERLIN('(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rom', '1601'),
  ...[
    'BEGIN:VEVENT',
    'RRULE:FREQ=WEEKLY;UNTIL=20260713T090000;INTERVAL=1;BYDAY=MO;WKST=MO',
    'SUMMARY;LANGUAGE=de-DE:Weekly',
  ],
  ...['UID:AAMk', 'DTSTART;TZID="(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rom":20260706T090000'],
  ...['DTEND;TZID="(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rom":20260706T100000', 'X-MICROSOFT-CDO-IMPORTANCE:1'],
  ...[
    'ORGANIZER;CN=Eve:MAILTO:eve@example.net',
    `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=Alice:MAILTO:${ALICE}`,
  ],
  ...['END:VEVENT', 'BEGIN:VEVENT', 'UID:AAMk', 'SUMMARY;LANGUAGE=de-DE:Weekly'],
  'RECURRENCE-ID;TZID="(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rom":20260713T090000',
  ...['DTSTART;TZID="(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rom":20260713T110000', 'DURATION:PT1H'],
  ...['END:VEVENT', 'END:VCALENDAR'],
)

const MOZILLA = text(
  ...['BEGIN:VCALENDAR', 'PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN', 'VERSION:2.0'],
  ...BERLIN('/mozilla.org/20070129_1/Europe/Berlin', '1970'),
  ...['BEGIN:VEVENT', 'CREATED:20260701T080000Z', 'LAST-MODIFIED:20260701T080000Z', 'UID:5e3f', 'SUMMARY:Weekly'],
  ...['RRULE:FREQ=WEEKLY;COUNT=2', 'DTSTART;TZID=/mozilla.org/20070129_1/Europe/Berlin:20260706T090000'],
  ...['DTEND;TZID=/mozilla.org/20070129_1/Europe/Berlin:20260706T100000', 'X-MOZ-GENERATION:2', 'END:VEVENT'],
  ...[
    'BEGIN:VEVENT',
    'UID:5e3f',
    'SUMMARY:Weekly',
    'RECURRENCE-ID;TZID=/mozilla.org/20070129_1/Europe/Berlin:20260713T090000',
  ],
  ...['DTSTART;TZID=/mozilla.org/20070129_1/Europe/Berlin:20260713T110000'],
  ...['DTEND;TZID=/mozilla.org/20070129_1/Europe/Berlin:20260713T120000', 'END:VEVENT', 'END:VCALENDAR'],
)

test.each([
  ['Apple', APPLE],
  ['Google', GOOGLE],
  ['Outlook', OUTLOOK],
  ['Exchange', EXCHANGE],
  ['Mozilla', MOZILLA],
])('a calendar written by %s is read', async (_, written) => {
  const { instances, seed } = await read(written)
  type Shown = { summary: string; start: { dateTime: string }; end: { dateTime: string } }
  const times = instances.map(({ summary, start, end }: Shown) =>
    [summary, ...[start, end].map(({ dateTime }) => new Date(dateTime).toISOString().slice(5, 16))].join(' '),
  )

  expect(seed.report).toEqual([])
  expect(times).toEqual(['Weekly 07-06T07:00 07-06T08:00', 'Weekly 07-13T09:00 07-13T10:00'])
})
