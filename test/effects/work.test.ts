import { expect, test } from 'vitest'
import { ALICE, BOB, hour, openCalendar } from '../support/calendar.ts'
import { countSteps } from '../support/work.ts'

/** The cost of writes, counted in steps: it follows the subscribers of a calendar, not all accounts or events of the world. */
const EVENTS = '/calendars/primary/events'
const LIST = '/users/me/calendarList'
const MAIL = { defaultReminders: [{ method: 'email', minutes: 30 }] }
const POPUP = { defaultReminders: [{ method: 'popup', minutes: 30 }] }

type Size = { accounts: number; events: number }
const many = <T>(count: number, make: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => make(nth))

/** A public calendar of alice, which bob gets reminders of by mail. No other account has it on its list. */
function open({ accounts, events }: Size) {
  const { as } = openCalendar({
    seed: {
      accounts: [
        { email: ALICE, calendarList: [{ id: ALICE, ...MAIL }] },
        { email: BOB, calendarList: [{ id: ALICE, ...MAIL }] },
        ...many(accounts, (nth) => ({ email: `person${String(nth).padStart(4, '0')}@example.com` })),
      ],
      calendars: [
        {
          id: ALICE,
          acl: [{ scope: { type: 'default' }, role: 'reader' }],
          events: many(events, (nth) => ({ id: `event${String(nth).padStart(4, '0')}`, ...hour('2026-03-02', 9) })),
        },
        // Bob is busy at the time of the invitation.
        {
          id: BOB,
          events: many(events, (nth) => ({ id: `b${String(nth).padStart(5, '0')}`, ...hour('2026-03-02', 8) })),
        },
      ],
    },
  })
  return { alice: as(ALICE), bob: as(BOB) }
}

/** Returns the cost of each method, after a first write that initializes the world. */
async function costs(size: Size) {
  const { alice, bob } = open(size)
  const send = async (request: Promise<{ status: number }>) => expect((await request).status).toBeLessThan(300)
  await send(alice.post(EVENTS, { id: 'first0', ...hour('2026-03-02', 8) }))
  await send(bob.patch(`${LIST}/${ALICE}`, POPUP))
  const rule = { role: 'writer', scope: { type: 'user', value: BOB } }
  return {
    insert: await countSteps(() => send(alice.post(EVENTS, { id: 'second', ...hour('2026-03-02', 8) }))),
    'insert with a guest': await countSteps(() =>
      send(alice.post(EVENTS, { id: 'third0', ...hour('2026-03-02', 8), attendees: [{ email: BOB }] })),
    ),
    patch: await countSteps(() => send(alice.patch(`${EVENTS}/second`, hour('2026-03-02', 7)))),
    delete: await countSteps(() => send(alice.delete(`${EVENTS}/second`))),
    'acl.insert': await countSteps(() => send(alice.post('/calendars/primary/acl', rule))),
    'acl.delete': await countSteps(() => send(alice.delete(`/calendars/primary/acl/user:${BOB}`))),
    'calendarList.patch': await countSteps(() => send(bob.patch(`${LIST}/${ALICE}`, MAIL))),
  }
}

const SIZES: [title: string, few: Size, many: Size][] = [
  ['accounts that do not subscribe', { accounts: 10, events: 10 }, { accounts: 1000, events: 10 }],
  ['events', { accounts: 10, events: 10 }, { accounts: 10, events: 2000 }],
]

test.each(SIZES)('writes cost the same with any number of %s', async (_, few, many) => {
  const expected = await costs(few)
  const actual = await costs(many)
  for (const [method, cost] of Object.entries(expected))
    expect(actual[method as keyof typeof expected], method).toBeLessThanOrEqual(cost + 10)
})

test('7.12, 7.23 default reminders are sent for every event that is due, in the order of creation', async () => {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  await alice.patch(`${LIST}/primary`, MAIL)
  await alice.post(EVENTS, { id: 'second', ...hour('2026-03-02', 9) })
  await alice.post(EVENTS, { id: 'series', ...hour('2026-03-01', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  await alice.post(EVENTS, { id: 'first0', ...hour('2026-03-02', 7) })
  await alice.post(EVENTS, { id: 'moved0', ...hour('2026-03-02', 6) })
  await alice.patch(`${EVENTS}/moved0`, hour('2026-03-03', 10))
  await alice.post(EVENTS, {
    id: 'allda0',
    start: { date: '2026-03-03' },
    end: { date: '2026-03-04' },
    reminders: { useDefault: true },
  })

  const fired = await fake.advance('1w')

  expect(fired.map(({ what, at }) => [what.split(' ')[2], at])).toEqual([
    ['series', '2026-03-01T13:30:00.000Z'],
    ['first0', '2026-03-02T11:30:00.000Z'],
    ['second', '2026-03-02T13:30:00.000Z'],
    ['series', '2026-03-02T13:30:00.000Z'],
    ['allda0', '2026-03-03T04:30:00.000Z'],
    ['series', '2026-03-03T13:30:00.000Z'],
    ['moved0', '2026-03-03T14:30:00.000Z'],
  ])
  expect(fake.mail().map(({ eventId }) => eventId)).toEqual([
    'series_20260301T140000Z',
    'first0',
    'second',
    'series_20260302T140000Z',
    'allda0',
    'series_20260303T140000Z',
    'moved0',
  ])
})
