import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'
import { NOT_FOUND, needsRole, share } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'

test('15.10 a clear deletes every event of a primary calendar, and returns 204 without a body', async () => {
  const { as } = openCalendar()
  const { id } = (await as(ALICE).post(EVENTS, hour('2026-03-02', 9))).body
  await as(ALICE).post(EVENTS, hour('2026-03-02', 11))

  const reply = await as(ALICE).post('/calendars/primary/clear')

  expect(reply).toMatchObject({ status: 204, text: '' })
  expect(reply.headers.get('Content-Length')).toBe('0')
  expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  expect((await as(ALICE).get(`${EVENTS}/${id}`)).body.status).toBe('cancelled')
})

test('14.26 the next sync returns every event that a clear deleted', async () => {
  const { as } = openCalendar()
  const ids = [
    await as(ALICE).post(EVENTS, hour('2026-03-02', 9)),
    await as(ALICE).post(EVENTS, hour('2026-03-02', 11)),
  ]
  const { nextSyncToken } = (await as(ALICE).get(EVENTS)).body

  await as(ALICE).post('/calendars/primary/clear')

  const { items } = (await as(ALICE).get(`${EVENTS}?syncToken=${encodeURIComponent(nextSyncToken)}`)).body
  expect(items).toMatchObject(ids.map(({ body }) => ({ id: body.id, status: 'cancelled' })))
})

test('an empty calendar can be cleared without a change', async () => {
  const { fake, as } = openCalendar()
  const before = fake.state()

  expect((await as(ALICE).post('/calendars/primary/clear')).status).toBe(204)
  expect(fake.state()).toEqual(before)
})

test('only an owner can clear a calendar', async () => {
  const { as } = openCalendar()

  expect(errorOf(await as(BOB).post(`/calendars/${ALICE}/clear`))).toEqual(NOT_FOUND)
  await share(as(ALICE), 'primary', BOB, 'writer')
  expect(errorOf(await as(BOB).post(`/calendars/${ALICE}/clear`))).toEqual(needsRole('owner'))
})
