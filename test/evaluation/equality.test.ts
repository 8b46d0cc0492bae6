import { expect, test } from 'vitest'
import { type Agent, type AgentAttempt, type AgentTask, createFakeCalendar } from '../../src/index.ts'

const ANA = 'ana@studio.example.com'
const KOFI = 'kofi@studio.example.com'
const TEAM = 'team@group.calendar.google.com'

const seed = {
  accounts: [
    { email: ANA, timeZone: 'Europe/Berlin' },
    { email: KOFI, timeZone: 'Europe/Berlin' },
  ],
  calendars: [
    {
      id: ANA,
      events: [
        {
          id: 'daili1',
          summary: 'Daily',
          start: { dateTime: '2030-05-27T09:00:00+02:00', timeZone: 'Europe/Berlin' },
          end: { dateTime: '2030-05-27T09:15:00+02:00', timeZone: 'Europe/Berlin' },
          recurrence: ['RRULE:FREQ=DAILY'],
        },
        {
          id: 'meeting1',
          summary: 'Review',
          start: { dateTime: '2030-06-06T10:00:00+02:00' },
          end: { dateTime: '2030-06-06T11:00:00+02:00' },
          attendees: [
            { email: ANA, responseStatus: 'accepted' },
            { email: KOFI, responseStatus: 'accepted' },
          ],
        },
      ],
    },
    { id: TEAM, owner: ANA, summary: 'Team' },
  ],
} satisfies AgentTask['seed']

const EVENTS = '/calendars/primary/events'
const SKIPPED = `${EVENTS}/daili1_20300613T070000Z`
const zoom = {
  summary: 'Zoom',
  start: { dateTime: '2030-06-06T12:00:00+02:00' },
  end: { dateTime: '2030-06-06T13:00:00+02:00' },
  attendees: [{ email: KOFI }],
}
const bells = { summary: 'Bells', start: { date: '2030-06-10' }, end: { date: '2030-06-11' } }
const tenBells = { ...bells, recurrence: ['RRULE:FREQ=DAILY;COUNT=10'] }

type Call = readonly [request: string, body?: object]

const send = async ({ rest, fetch }: AgentAttempt, [request, body]: Call): Promise<{ id?: string }> => {
  const [method = '', path = ''] = request.split(' ')
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(rest + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await reply.text()
  if (!reply.ok) throw new Error(text)
  return text === '' ? {} : JSON.parse(text)
}

const doing =
  (...calls: Call[]): Agent =>
  async (attempt) => {
    const ids: string[] = []
    const fill = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value).replace(/\$(\d)/g, (_, at) => ids[Number(at) - 1] ?? ''))
    for (const call of calls) ids.push((await send(attempt, fill(call))).id ?? '')
  }

const create: Call = [`POST ${EVENTS}`, zoom]
const add = (more: object): Call => [`POST ${EVENTS}`, { ...zoom, ...more }]

/** A row of equality: what the reference does, what is equal to it, and the nearest that is not. */
const ROWS: readonly [name: string, reference: readonly Call[], equal: readonly Call[], different: readonly Call[]][] =
  [
    ['ids and UIDs that are made', [create], [add({ id: 'chosen12345' })], [create, create]],
    [
      'the zone of an instant',
      [create],
      [add({ start: { dateTime: '2030-06-06T10:00:00Z' } })],
      [add({ start: { dateTime: '2030-06-06T12:00:00Z' } })],
    ],
    [
      'the named zone of a single event',
      [create],
      [add({ start: { ...zoom.start, timeZone: 'Asia/Tokyo' } })],
      [add({ start: { dateTime: '2030-06-06T12:00:00', timeZone: 'Asia/Tokyo' } })],
    ],
    [
      "the organizer's own entry",
      [create],
      [add({ attendees: [{ email: KOFI }, { email: ANA, responseStatus: 'accepted' }] })],
      [add({ attendees: [{ email: KOFI }, { email: ANA, responseStatus: 'declined' }] })],
    ],
    [
      'the order of guests',
      [add({ attendees: [{ email: KOFI }, { email: 'x@y.example.net' }] })],
      [add({ attendees: [{ email: 'x@y.example.net' }, { email: KOFI }] })],
      [create],
    ],
    [
      'the display name of a guest',
      [create],
      [add({ attendees: [{ email: KOFI, displayName: 'Kofi' }] })],
      [add({ attendees: [{ email: KOFI, optional: true }] })],
    ],
    ['empty texts', [create], [add({ description: '', location: '' })], [add({ description: '.' })]],
    [
      'named defaults',
      [create],
      [add({ visibility: 'default', transparency: 'opaque', guestsCanInviteOthers: true })],
      [add({ transparency: 'transparent' })],
    ],
    [
      'one reminder is not the default',
      [create],
      [add({ reminders: { useDefault: true } })],
      [add({ reminders: { useDefault: false } })],
    ],
    [
      'PUT for PATCH',
      [[`PATCH ${EVENTS}/meeting1`, { summary: 'X' }]],
      [
        [`PATCH ${EVENTS}/meeting1`, { summary: 'Y' }],
        [`PATCH ${EVENTS}/meeting1`, { summary: 'X' }],
      ],
      [[`PATCH ${EVENTS}/meeting1`, { summary: 'x' }]],
    ],
    [
      'an excluded date and a cancelled instance',
      [[`DELETE ${SKIPPED}`]],
      [[`PATCH ${EVENTS}/daili1`, { recurrence: ['RRULE:FREQ=DAILY', 'EXDATE:20300613T070000Z'] }]],
      [[`PATCH ${EVENTS}/daili1`, { recurrence: ['RRULE:FREQ=DAILY', 'EXDATE:20300614T070000Z'] }]],
    ],
    [
      'a cancelled instance of a new series',
      [[`POST ${EVENTS}`, { ...tenBells, recurrence: [...tenBells.recurrence, 'EXDATE;VALUE=DATE:20300613'] }]],
      [[`POST ${EVENTS}`, tenBells], [`DELETE ${EVENTS}/$1_20300613`]],
      [[`POST ${EVENTS}`, tenBells]],
    ],
    [
      'COUNT and UNTIL',
      [[`POST ${EVENTS}`, tenBells]],
      [[`POST ${EVENTS}`, { ...bells, recurrence: ['RRULE:FREQ=DAILY;UNTIL=20300619'] }]],
      [[`POST ${EVENTS}`, { ...bells, recurrence: ['RRULE:FREQ=DAILY;UNTIL=20300620'] }]],
    ],
    [
      'the rule of an endless series',
      [[`POST ${EVENTS}`, { ...bells, recurrence: ['RRULE:FREQ=DAILY'] }]],
      [[`POST ${EVENTS}`, { ...bells, recurrence: ['RRULE:FREQ=DAILY'] }]],
      [[`POST ${EVENTS}`, { ...bells, recurrence: ['RRULE:FREQ=DAILY;COUNT=700'] }]],
    ],
    [
      'a series is not its single events',
      [[`POST ${EVENTS}`, { ...bells, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }]],
      [[`POST ${EVENTS}`, { ...bells, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }]],
      [
        [`POST ${EVENTS}`, bells],
        [`POST ${EVENTS}`, { ...bells, start: { date: '2030-06-11' }, end: { date: '2030-06-12' } }],
      ],
    ],
    [
      'a new calendar',
      [
        ['POST /calendars', { summary: 'New' }],
        ['POST /calendars/$1/events', bells],
      ],
      [
        ['POST /calendars', { summary: 'New' }],
        ['POST /calendars/$1/events', bells],
      ],
      [
        ['POST /calendars', { summary: 'New' }],
        [`POST ${EVENTS}`, bells],
      ],
    ],
    [
      'a right on a new calendar',
      [
        ['POST /calendars', { summary: 'New' }],
        ['POST /calendars/$1/acl', { role: 'writer', scope: { type: 'user', value: KOFI } }],
      ],
      [
        ['POST /calendars', { summary: 'Old' }],
        ['PATCH /calendars/$1', { summary: 'New' }],
        ['POST /calendars/$1/acl', { role: 'writer', scope: { type: 'user', value: KOFI } }],
      ],
      [
        ['POST /calendars', { summary: 'New' }],
        ['POST /calendars/$1/acl', { role: 'reader', scope: { type: 'user', value: KOFI } }],
      ],
    ],
    [
      'an event that moved',
      [[`POST ${EVENTS}/meeting1/move?destination=${TEAM}`]],
      [[`POST ${EVENTS}/meeting1/move?destination=${TEAM}`]],
      [[`DELETE ${EVENTS}/meeting1`]],
    ],
    [
      'answers that a new time resets',
      [[`PATCH ${EVENTS}/meeting1`, { start: zoom.start, end: zoom.end }]],
      [[`PATCH ${EVENTS}/meeting1`, { start: zoom.start, end: zoom.end }]],
      [
        [
          `PATCH ${EVENTS}/meeting1`,
          {
            start: zoom.start,
            end: zoom.end,
            attendees: [{ email: ANA }, { email: KOFI, responseStatus: 'accepted' }],
          },
        ],
      ],
    ],
    [
      'a watch',
      [create],
      [create],
      [create, [`POST ${EVENTS}/watch`, { id: 'w1', type: 'web_hook', address: 'https://x.example.net/' }]],
    ],
  ]

test.each(ROWS)('%s', async (_, reference, equal, different) => {
  const fake = createFakeCalendar()
  const goal = { do: reference.map(([request, body]) => ({ [request.replace(/\$(\d)/g, '{{$1.id}}')]: body })) }
  const task: AgentTask = { name: 'x', seed, now: '2030-06-03T08:00:00Z', account: ANA, prompt: 'x', goal }
  const right = await fake.evaluate(task, doing(...equal))
  const wrong = await fake.evaluate(task, doing(...different))

  expect(right).toMatchObject({ passed: true, score: 1, missing: [], unexpected: [] })
  expect(wrong.passed).toBe(false)
  expect(wrong.score).toBeLessThan(1)
})
