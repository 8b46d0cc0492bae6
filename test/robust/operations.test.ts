import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/control/operations/index.ts'
import type { Operation } from '../../src/control/operations/operation.ts'
import type { FakeCalendar } from '../../src/index.ts'
import { ALICE, BOB, hour, openCalendar, type Reply } from '../support/calendar.ts'
import { fillPath } from '../support/fillPath.ts'
import { captureErrors, failAtWrite } from './failing.ts'
import { openScene } from './scene.ts'
import { captureWorld, listDifferences } from './worldState.ts'

/** A world with everything that a test author can set up. */
async function full() {
  const opened = await openScene()
  const { fake, as } = opened
  const alice = as(ALICE)
  fake.snapshot('before')
  fake.faults.add({ on: 'batch', optional: true, do: { hang: true } })
  fake.quota({ perMinute: 600 })
  fake.oauth.mint({ account: ALICE })
  fake.oauth.fail({ fail: 'denied', times: 2 })
  fake.conferences.policy({ delay: '1h' })
  fake.conferences.expect({ requestId: 'never', outcome: 'failure' })
  const conferenceData = { createRequest: { requestId: 'r3' } }
  await alice.post('/calendars/primary/events?conferenceDataVersion=1', { conferenceData, ...hour('2026-03-05', 9) })
  await alice.get('/calendars/primary/events?maxResults=1')
  await fake.notifications.settled()
  fake.notifications.hold('mine')
  fake.notifications.drop({ times: 3 })
  await alice.post('/calendars/primary/events?sendUpdates=all', {
    attendees: [{ email: BOB }],
    ...hour('2026-03-06', 9),
  })
  await fake.notifications.settled()
  fake.world('other').health()
  return opened
}

/** A world without writes of clients: its revisions follow its clock back. */
async function untouched() {
  const seed = { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events: [hour('2026-03-02', 9)] }] }
  const opened = openCalendar({ seed })
  opened.fake.faults.add({ on: '*', optional: true, do: { delay: 0 } })
  opened.fake.quota({ perMinute: 600 })
  return opened
}

type Case = {
  input?: object
  in?: () => Promise<{ fake: FakeCalendar; anonymous: ReturnType<typeof openCalendar>['anonymous'] }>
}
const SEED = {
  accounts: [{ email: ALICE }, { email: 'dora@example.com' }],
  calendars: [{ id: ALICE, events: [hour('2026-03-09', 9)] }],
}
const CLOCK = { mode: 'frozen', now: '2026-03-02T09:00:00Z' }

/** The input of operations, where it is not the example. */
const CASES: Record<string, readonly Case[]> = {
  'control.reset': [{}, { in: untouched }],
  'control.seed': [{ input: SEED }, { input: { ...SEED, clock: CLOCK } }],
  'control.replace': [{ input: SEED }, { input: { ...SEED, clock: CLOCK } }],
  'control.syncTokens.expire': [{ input: {} }, { input: { collection: 'events', afterUses: 2 } }],
  'control.fork': ['w1', 'other', 'default'].flatMap((name) => [
    { input: { world: name, from: 'before' } },
    { input: { world: name, seed: SEED } },
  ]),
  'control.deleteWorld': [{ input: { world: 'other' } }],
  'control.conferences.settle': [{ input: {} }],
  'control.clock.set': [
    { input: { mode: 'frozen', now: '2026-03-05T00:00:00Z' } },
    { input: { now: '2026-02-01T00:00:00Z' } },
    { input: { now: '2026-02-01T00:00:00Z' }, in: untouched },
  ],
  'control.advance': [{ input: { by: '2h' } }],
  'control.notifications.replay': [{ input: { id: 1 } }],
  'control.diff.verify': [{ input: { since: 0, expected: [] } }],
}

/** These execute due actions of the clock, each in its own transaction, and report its failure. */
const BY_THING = ['control.clock.set', 'control.advance', 'control.seed']

/** These replace one value outside of the data, so that nothing can be half done. A GET only reads. */
const WRITE_NOTHING =
  /^control\.(delete|deleteWorld|snapshot|deleteSnapshot|diff\.verify|faults\.\w+|quota|quota\.remove|notifications\.\w+|calls\.\w+|worlds\.setResult|attempts\.list|mail\.until)$/

/**
 * Calls an operation again and again, and makes its first, second, … write fail, until a call succeeds. Expects that a failed
 * call leaves nothing behind. Returns the number of failed writes. `lines` gets the reported errors.
 */
async function failEachWrite({ id, verb, path, example }: Operation, one: Case, lines: readonly unknown[]) {
  const input = one.input ?? example
  const open = one.in ?? full
  const reported = lines.length
  let opening = await open()
  let before = captureWorld(opening.fake)
  for (let n = 1; ; n++) {
    const { fake, anonymous } = opening
    const at = fillPath(path, input)
    const query = verb === 'GET' && input ? `?${new URLSearchParams(at.left as Record<string, string>)}` : ''
    const call = anonymous[verb.toLowerCase() as 'get']
    const over = failAtWrite(n)
    const { status, body }: Reply = await call(at.path + query, verb === 'GET' ? undefined : at.left)
    if (!over()) {
      expect([status, lines.length - reported]).toEqual([id === 'control.diff.verify' ? 417 : 200, n - 1])
      return n - 1
    }
    if (BY_THING.includes(id) && status === 200) {
      if (body.fired) expect(body.fired).toContainEqual(expect.objectContaining({ error: `Error: write ${n} fails` }))
      opening = await open()
      before = captureWorld(opening.fake)
      continue
    }
    expect([n, status]).toEqual([n, 500])
    await fake.notifications.settled()
    expect(listDifferences(captureWorld(fake), before)).toEqual([])
  }
}

/** A grade needs an attempt, which writes in a world of its own. */
const ROWS = (OPERATIONS as readonly Operation[])
  .filter(({ id }) => !/attempts\.(?:grade|say)$/.test(id))
  .map((operation) => [operation.id, operation] as const)

test.each(ROWS)('%s is rolled back if any of its writes fails', async (id, operation) => {
  const lines = captureErrors()
  let failures = 0
  for (const one of CASES[id] ?? [{}]) failures += await failEachWrite(operation, one, lines)

  expect(failures > 0, 'an operation that writes nothing belongs into WRITE_NOTHING').toBe(
    operation.verb !== 'GET' && !WRITE_NOTHING.test(id),
  )
})
