import { expect, test } from 'vitest'
import { ALICE, BOB, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const lunch = (summary: string) => ({ ...hour('2026-03-02', 12), summary })

test('a wait ends with the last required call, and counts earlier calls', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post(EVENTS, lunch('first'))
  expect(await fake.calls.until('events.insert', 1)).toMatchObject([{ n: 1 }])
  const two = fake.calls.until('events.insert', 2)
  await as(ALICE).get(EVENTS)
  await as(ALICE).post(EVENTS, lunch('second'))

  expect(await two).toMatchObject([{ body: { summary: 'first' } }, { body: { summary: 'second' } }])
})

test('a wait without result states that calls were dropped', async () => {
  const { fake, as, anonymous } = openCalendar({ journal: 1 })
  await as(ALICE).get('/colors')
  const none = fake.calls.until('events.insert', 1, { timeout: 1 })
  await expect(none).rejects.toThrow(/^events\.insert: 0 of 1 calls arrived in time$/)
  await as(ALICE).get('/colors')

  const dropped = '0 of 1 calls arrived in time; 1 earlier call was dropped from the journal'
  await expect(fake.calls.until('events.insert', 1, { timeout: 1 })).rejects.toThrow(dropped)
  const reply = await anonymous.post('/_control/calls/until', { method: 'events.insert', timeout: 1 })
  expect([reply.status, reply.body.error.message]).toEqual([504, expect.stringContaining(dropped)])
})

test('a wait can select an account, a calendar and criteria', async () => {
  const { fake, as } = openCalendar()
  const where = { body: { summary: 'wanted' } }
  const waiting = fake.calls.until('events.*', 1, { where, account: ALICE, calendarId: ALICE, timeout: '20s' })
  await as(ALICE).post(EVENTS, lunch('other'))
  await as(BOB).post(EVENTS, lunch('wanted'))
  await as(ALICE).post(EVENTS, lunch('wanted'))

  expect(await waiting).toMatchObject([{ n: 3, account: ALICE }])
})

test('a reset during a wait keeps the count', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).get('/colors')
  const waiting = fake.calls.until('colors.get', 2)
  fake.reset()
  await as(ALICE).get('/colors')

  expect(await waiting).toHaveLength(2)
})

test('a restore during a wait keeps the count and the earlier calls', async () => {
  const { fake, as } = openCalendar()
  const before = fake.snapshot()
  await as(ALICE).get('/colors')
  const waiting = fake.calls.until('colors.get', 2)
  fake.restore(before)
  await as(ALICE).get('/colors')

  expect((await waiting).map(({ n }) => n)).toEqual([1, 2])
  expect(fake.calls('colors.get')).toHaveLength(2)
})

test('a time-out reports the number of calls', async () => {
  const { fake, as, anonymous } = openCalendar()
  await as(ALICE).get('/colors')

  await expect(fake.calls.until('colors.get', 2, { timeout: 1 })).rejects.toThrow(
    'colors.get: 1 of 2 calls arrived in time',
  )
  const { status, body } = await anonymous.post('/_control/calls/until', { method: 'colors.get', count: 2, timeout: 1 })
  expect([status, body.error.message]).toEqual([504, expect.stringContaining('1 of 2 calls arrived in time')])
  expect(() => fake.calls.until('colors.get', 2, { timeout: '61s' })).toThrow('timeout: at most 60s')
})

test('a wait ends when its world is deleted or a matcher throws', async () => {
  const { fake, as } = openCalendar()
  const waiting = expect(fake.calls.until('colors.get', 1)).rejects.toThrow('0 of 1')
  await fake.close()
  await waiting
  const matcher = {
    asymmetricMatch() {
      throw new Error('no matcher')
    },
  }
  const { fake: other, as: asOther } = openCalendar()
  const failing = expect(other.calls.until('colors.get', 1, { where: { status: matcher } })).rejects.toThrow(
    'no matcher',
  )
  expect((await asOther(ALICE).get('/colors')).status).toBe(200)
  await failing
  expect((await as(ALICE).get('/colors')).status).toBe(200)
})

test('a wait over HTTP gives the same results', async () => {
  const { as, anonymous } = openCalendar()
  const waiting = anonymous.post('/_control/calls/until', { method: 'colors.get', count: 1 })
  await as(ALICE).get('/colors')

  expect((await waiting).body).toMatchObject({ calls: [{ method: 'colors.get' }] })
})
