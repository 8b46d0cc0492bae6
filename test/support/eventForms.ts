import { expect } from 'vitest'
import { hour } from './calendar.ts'

/** A call of a method on the primary calendar, with its parameters besides the calendar. */
export type Call = {
  resource: string
  method: string
  params: { eventId?: string; originalStart?: string; body?: object }
}
/** The fields that a reply has, or the reason and the message of its error. */
export type Form = { title: string; call: Call; shown?: object; refused?: [reason: string, message: string] }

const LINE = '-::~:~::~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~::~:~::-'
const BLOCK = `${LINE}\nJoin with Google Meet: https://meet.google.com/abc-defg-hij\n${LINE}`
const UTC_HOUR = hour('2026-03-02', 9, 'UTC')
const AWAY = { eventType: 'outOfOffice', outOfOfficeProperties: { autoDeclineMode: 'declineNone' } }

type Outcome = Pick<Form, 'shown' | 'refused'>
const shows = (shown: object): Outcome => ({ shown })
const refuses = (reason: string, message: string): Outcome => ({ refused: [reason, message] })
const events = (method: string, params: Call['params'], title: string, outcome: Outcome): Form => ({
  title,
  call: { resource: 'events', method, params },
  ...outcome,
})
const insert = (title: string, body: object, outcome: Outcome): Form =>
  events('insert', { body: { ...UTC_HOUR, ...body } }, title, outcome)
const series = (method: string, title: string, more: object, outcome: Outcome): Form =>
  events(method, { eventId: 'series1', ...more }, title, outcome)
const rule = (title: string, body: object, outcome: Outcome): Form => ({
  title,
  call: { resource: 'acl', method: 'insert', params: { body } },
  ...outcome,
})

/** Calls in order: forms that clients send, and what was learned of each in 2026. */
export const EVENT_FORMS: readonly Form[] = [
  insert(
    '3.2.19 a conference block',
    { description: `Agenda\n${BLOCK}\nNotes` },
    shows({ description: 'Agenda\n\nNotes' }),
  ),
  insert('3.2.12 an unknown colour', { colorId: '42' }, refuses('invalid', 'Invalid Value')),
  insert(
    '2.2.4 a recurringEventId that is no event id',
    { recurringEventId: 'ABC' },
    refuses('invalid', 'Invalid recurringEventId value.'),
  ),
  insert(
    '2.2.4 a recurringEventId of a split series',
    { recurringEventId: 'abc12_R20260303T100000', summary: 'Split' },
    shows({ summary: 'Split' }),
  ),
  insert('8.5 an absence without reminders', AWAY, shows({ reminders: { useDefault: true } })),
  insert(
    '8.5 an absence with useDefault: false',
    { ...AWAY, reminders: { useDefault: false } },
    shows({ reminders: { useDefault: false } }),
  ),
  insert(
    '13.1 an offset as a zone',
    hour('2026-03-02', 9, 'GMT-07:00'),
    refuses('invalid', 'Invalid time zone definition for start time.'),
  ),
  events(
    'import',
    { body: { ...UTC_HOUR, iCalUID: '   ' } },
    '14.56 an import with a blank iCalUID',
    refuses('invalid', 'Invalid iCalUID value.'),
  ),
  insert(
    '1.6 a googlemail address',
    { attendees: [{ email: 'dora@googlemail.com' }] },
    shows({ attendees: [expect.objectContaining({ email: 'dora@googlemail.com' })] }),
  ),
  insert(
    '4.1 a series',
    { id: 'series1', ...hour('2026-03-02', 9, 'UTC'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] },
    shows({ id: 'series1' }),
  ),
  events(
    'patch',
    { eventId: 'series1_20260303T090000Z', body: { recurrence: ['RRULE:FREQ=DAILY'] } },
    '14.4 a PATCH of the recurrence of an instance',
    refuses('invalid', 'Invalid recurrence rule.'),
  ),
  series(
    'instances',
    '4.4 a bare date as originalStart',
    { originalStart: '2026-03-03' },
    refuses('badRequest', 'Bad Request'),
  ),
  rule(
    '3.6.3 a rule with an unknown type of scope',
    { role: 'reader', scope: { type: 'robot', value: 'a@example.com' } },
    refuses('required', 'Missing scope type.'),
  ),
  rule(
    '3.6.3 a rule with an unknown role',
    { role: 'boss', scope: { type: 'user', value: 'a@example.com' } },
    refuses('required', 'Missing role.'),
  ),
]
