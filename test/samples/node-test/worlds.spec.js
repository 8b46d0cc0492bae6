import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe } from 'node:test'
import { assertChanged, assertEvent, assertReceived, assertSent, test } from 'fake-calendar/node-test'

const lunch = {
  summary: 'Lunch',
  start: { dateTime: '2026-03-02T12:00:00Z' },
  end: { dateTime: '2026-03-02T13:00:00Z' },
}

describe('a world for each test', { concurrency: true }, () => {
  test('a test finds the event that it wrote', async ({ fake, calendar }) => {
    await calendar.events.insert({
      calendarId: 'primary',
      sendUpdates: 'all',
      requestBody: { ...lunch, attendees: [{ email: 'bob@example.com' }] },
    })

    assertReceived(fake, 'events.insert', { params: { sendUpdates: 'all' }, body: { summary: 'Lunch' } })
    assertEvent(fake, { summary: 'Lunch', attendees: [{ email: 'bob@example.com' }] })
    assertSent(fake, { to: 'bob@example.com', kind: 'eventCreation' })
    assertChanged(fake, [{ change: 'added', kind: 'event', title: /Lunch/ }])
    assert.throws(() => assertEvent(fake, { summary: 'Dinner' }), { name: 'VerificationError' })
  })

  test('a test does not find the event of another test', { timeout: 10_000 }, async ({ fake, calendar, t }) => {
    const { data } = await calendar.events.list({ calendarId: 'primary' })

    assert.deepEqual(data.items, [])
    assert.equal(t.name, 'a test does not find the event of another test')
    assertEvent(fake, { summary: 'Lunch' }, { times: 0 })
    assertReceived(fake, 'events.insert', {}, { times: 0 })
    assertSent(fake, {}, { times: 0 })
    assertChanged(fake, [])
  })

  test.for(['Breakfast', 'Dinner'])('%s', async (summary, { fake, calendar }) => {
    await calendar.events.insert({ calendarId: 'primary', requestBody: { ...lunch, summary } })

    assertEvent(fake, { summary })
    assertEvent(fake, {}, { times: 1 })
  })
})

const team = test.extend({ seed: 'team', now: '2026-03-02T09:00:00Z', account: 'dana@example.com' })

team('a seed, an instant and an account', async ({ fake, calendar }) => {
  const { data } = await calendar.calendarList.list()

  assert.ok(data.items.some(({ summaryOverride }) => summaryOverride === 'Trails!'))
  assert.equal(fake.clock.now(), Date.parse('2026-03-02T09:00:00Z'))
})

test('a fault that did not fire fails its test with a message', () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = ['--test', '--test-reporter=tap', 'planned.js']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, env, encoding: 'utf8' })

  assert.equal(status, 1)
  assert.match(stdout, /^not ok 1 - a fault that never fires$/m)
  assert.match(stdout, /^ok 2 - a fault that fires$/m)
  assert.match(stdout, /^ok 3 - an optional fault$/m)
  assert.match(stdout, /events\.list/)
  assert.match(stdout, /VerificationError/)
})

test.extend({ followTimers: true })('a world follows the timers of node:test', async ({ fake, calendar, t }) => {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: new Date('2026-03-02T09:00:00Z') })
  const reminders = { useDefault: false, overrides: [{ method: 'email', minutes: 30 }] }
  await calendar.events.insert({ calendarId: 'primary', requestBody: { ...lunch, reminders } })
  t.mock.timers.tick(3 * 3_600_000)

  assertSent(fake, { kind: 'reminder', sentAt: '2026-03-02T11:30:00.000Z' })
})
