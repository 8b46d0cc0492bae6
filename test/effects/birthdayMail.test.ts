import { expect, test } from 'vitest'
import type { Seed } from '../../src/index.ts'
import { without } from '../../src/schema/values/json.ts'
import { ALICE, allDay, BOB, CAROL, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const birthday = {
  ...{ id: 'birth0', eventType: 'birthday' as const, summary: 'Ann', visibility: 'private' as const },
  ...{ transparency: 'transparent' as const, recurrence: ['RRULE:FREQ=YEARLY'], ...allDay('2026-03-09', '2026-03-10') },
}
const notifications = [
  { type: 'eventCreation', method: 'email' },
  { type: 'eventChange', method: 'email' },
  { type: 'eventCancellation', method: 'email' },
]
const seed: Seed = {
  accounts: [
    { email: ALICE, calendarList: [{ id: ALICE, notificationSettings: { notifications } }] },
    { email: BOB },
    { email: CAROL, calendarList: [{ id: ALICE, notificationSettings: { notifications } }] },
  ],
  calendars: [
    {
      id: ALICE,
      acl: [{ role: 'writer', scope: { type: 'user', value: CAROL } }],
      events: [{ ...birthday, attendees: [{ email: BOB }, { email: 'eve@elsewhere.net' }] }],
    },
  ],
}

test('14.57 nobody is mailed about a birthday, and a plain event beside it is mailed about', async () => {
  const { fake, as } = openCalendar({ seed })
  const write = async (body: object) => {
    const { id } = (await as(ALICE).post(`${EVENTS}?sendUpdates=all`, body)).body
    expect((await as(ALICE).patch(`${EVENTS}/${id}?sendUpdates=all`, { summary: 'Another' })).status).toBe(200)
    expect((await as(ALICE).delete(`${EVENTS}/${id}?sendUpdates=all`)).status).toBe(204)
  }
  await write(without(birthday, 'id'))
  expect((await as(ALICE).patch(`${EVENTS}/birth0?sendUpdates=all`, { summary: 'Anna' })).status).toBe(200)
  expect((await as(ALICE).delete(`${EVENTS}/birth0?sendUpdates=all`)).status).toBe(204)
  expect(fake.mail()).toEqual([])
  await write({ ...allDay('2026-03-09', '2026-03-10'), attendees: [{ email: BOB }] })
  expect(new Set(fake.mail().map(({ to }) => to))).toEqual(new Set([BOB, CAROL]))
})
