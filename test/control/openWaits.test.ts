import { expect, onTestFinished, test } from 'vitest'
import type { Change } from '../../src/index.ts'
import { startCounting } from '../robust/steps.ts'
import { ALICE, BOB, hour, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { ...hour('2026-03-09', 12), summary: 'Lunch' }

/** Opens a calendar, and counts the steps of a request. */
function openCounted() {
  const opened = openCalendar()
  const work = startCounting()
  onTestFinished(() => work.stop())
  const stepsOf = async (send: () => Promise<unknown>) => {
    work.takeCount()
    await send()
    return work.takeCount()
  }
  return { ...opened, stepsOf }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
/** 1,000 parameters that no call has, so that each is compared. */
const KEYS = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`zzqx${at}`, null]))

test('200 open waits for changes compare no earlier write again', async () => {
  const { as, anonymous, stepsOf } = openCounted()
  for (let at = 0; at < 50; at++) await as(ALICE).post(EVENTS, LUNCH)
  const insert = () => as(ALICE).post(EVENTS, LUNCH)
  const before = await stepsOf(insert)
  const waits = Array.from({ length: 200 }, () => anonymous.get(`/_control/changes?wait=20s&account=${BOB}`))
  await nextTurn()

  expect(await stepsOf(insert)).toBeLessThan(before + 200 * 50)
  await as(BOB).post('/calendars', { summary: 'Team' })
  for (const { body } of await Promise.all(waits))
    expect(body.changes.map(({ title }: Change) => title)).toContain('Team')
})

test('a call that came before the time-out is counted', async () => {
  const { as, fake } = openCounted()
  const where = { params: KEYS }
  const waiting = fake.calls.until('colors.get', 2, { where, timeout: 30 })
  const others = Array.from({ length: 50 }, () => fake.calls.until('colors.get', 1, { where, timeout: '20s' }))
  await as(ALICE).get('/colors')

  await expect(waiting).rejects.toThrow('1 of 2 calls arrived in time')
  await Promise.all(others)
})
