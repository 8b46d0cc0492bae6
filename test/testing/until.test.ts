import { expect, test } from 'vitest'
import { ALICE, BOB, hour, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const lunch = (summary: string) => ({ ...hour('2026-03-02', 12), summary })

test('waiting ends with the call that makes them enough, those before counted', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post(EVENTS, lunch('first'))
  expect(await fake.calls.until('events.insert', 1)).toMatchObject([{ n: 1 }])
  const two = fake.calls.until('events.insert', 2)
  await as(ALICE).get(EVENTS)
  await as(ALICE).post(EVENTS, lunch('second'))

  expect(await two).toMatchObject([{ body: { summary: 'first' } }, { body: { summary: 'second' } }])
})

test('waiting is for those of an account, of a calendar, and as wanted', async () => {
  const { fake, as } = openCalendar()
  const where = { body: { summary: 'wanted' } }
  const waiting = fake.calls.until('events.*', 1, { where, account: ALICE, calendarId: ALICE, timeout: '20s' })
  await as(ALICE).post(EVENTS, lunch('other'))
  await as(BOB).post(EVENTS, lunch('wanted'))
  await as(ALICE).post(EVENTS, lunch('wanted'))

  expect(await waiting).toMatchObject([{ n: 3, account: ALICE }])
})

test('a reset on the way takes nothing from what was counted', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).get('/colors')
  const waiting = fake.calls.until('colors.get', 2)
  fake.reset()
  await as(ALICE).get('/colors')

  expect(await waiting).toHaveLength(2)
})

test('a restore on the way too, and what was called before is still there', async () => {
  const { fake, as } = openCalendar()
  const before = fake.snapshot()
  await as(ALICE).get('/colors')
  const waiting = fake.calls.until('colors.get', 2)
  fake.restore(before)
  await as(ALICE).get('/colors')

  expect((await waiting).map(({ n }) => n)).toEqual([1, 2])
  expect(fake.calls('colors.get')).toHaveLength(2)
})

test('waiting in vain says how many there were', async () => {
  const { fake, as, anybody } = openCalendar()
  await as(ALICE).get('/colors')

  await expect(fake.calls.until('colors.get', 2, { timeout: 1 })).rejects.toThrow(
    'colors.get: 1 of 2 calls came in time',
  )
  const { status, body } = await anybody.post('/_control/calls/wait', { method: 'colors.get', count: 2, timeout: 1 })
  expect([status, body.error.message]).toEqual([504, expect.stringContaining('1 of 2 calls came in time')])
  await expect(fake.calls.until('colors.get', 2, { timeout: '61s' })).rejects.toThrow(RangeError)
})

test('waiting ends with the world, and with a matcher that fails', async () => {
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

test('over HTTP too', async () => {
  const { as, anybody } = openCalendar()
  const waiting = anybody.post('/_control/calls/wait', { method: 'colors.get', count: 1 })
  await as(ALICE).get('/colors')

  expect((await waiting).body).toMatchObject({ calls: [{ method: 'colors.get' }] })
})
