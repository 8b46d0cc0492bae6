import { expect, test } from 'vitest'
import { connect } from '../../src/connect.ts'
import { FUNCTIONS, REMOTE_ONLY } from '../../src/control/operations/index.ts'
import { fromICalendar } from '../../src/ical.ts'
import { createFakeCalendar } from '../../src/index.ts'
import { intercept } from '../../src/interception/intercept.ts'
import { handlers } from '../../src/interception/msw.ts'
import { assertChanged, assertEvent, assertReceived, assertSent } from '../../src/runners/assertions.ts'
import { matchers } from '../../src/runners/matchers.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

type Act = (...given: unknown[]) => unknown

/** Calls a function that must fail, and returns the first frame of its error. */
async function firstFrameOf(act: Act): Promise<string> {
  try {
    await act()
  } catch (error) {
    return (error as Error).stack?.split('\n').find((line) => /^ {4}at /.test(line)) ?? 'no frame'
  }
  return 'no error'
}

const memberOf = (world: object, name: string): Act => {
  const [own = '', group] = name.split('.').reverse()
  const holder = group === undefined ? world : (world as Record<string, object>)[group]
  return (...given) => (holder as Record<string, Act>)[own]?.(...given)
}
const WRONG = { nonsense: true }
/** The functions that cannot be called wrongly. `mail` takes any text. */
const WITHOUT_ARGUMENTS = [
  ...[
    'state',
    'reset',
    'clock.state',
    'clock.real',
    'clock.now',
    'clearMail',
    'faults.list',
    'faults.clear',
    'faults.verify',
  ],
  ...[
    'mail',
    'quota.state',
    'quota.remove',
    'channels',
    'oauth.state',
    'oauth.forget',
    'calls.clear',
    'worlds',
    'snapshots',
    'delete',
  ],
  ...['conferences.state', ...REMOTE_ONLY, 'attempts.list', 'clear', 'health', 'print'],
]

test.each([...FUNCTIONS.keys()].filter((name) => !WITHOUT_ARGUMENTS.includes(name)))(
  'the error of %s begins with the line of its caller, in process and over HTTP',
  async (name) => {
    const { fake } = openCalendar()
    const remote = connect('http://fake-calendar.localhost', {
      fetch: (input, init) => fake.fetch(input as string, init),
    })
    for (const world of [fake, remote])
      expect(await firstFrameOf(() => memberOf(world, name)(WRONG, WRONG, WRONG))).toContain('callerStack.test.ts')
  },
)

test('the error of faults.verify and of a failed verification begins with the line of its caller', async () => {
  const { fake, as } = openCalendar()
  const fault = fake.faults.add({ on: 'events.insert', do: { fail: 'backendError' } })
  expect((await as(ALICE).post('/calendars/primary/events/quickAdd?text=Lunch')).status).toBe(200)
  for (const act of [
    () => fake.faults.verify(),
    () => fault.until(1, { timeout: 0 }),
    () => fault.until(1, { timeout: 'soon' }),
    () => fake.calls.verify('events.insert'),
    () => fake.calls.until('events.insert', 1, { timeout: 0 }),
    () => fake.diff().verify([]),
    () => fake.diff().verify([{ nonsense: 1 } as never]),
    () => assertReceived(fake, 'events.insert'),
    () => assertReceived(fake, 'event.insert'),
    () => assertEvent(fake, { summary: 'Dinner' }),
    () => assertSent(fake, { to: ALICE }),
    () => assertChanged(fake, []),
    () => matchers.toHaveReceived.call({}, fake, 'event.insert'),
    () => matchers.toHaveEvent.call({}, {} as never, {}),
    () => matchers.toHaveSent.call({}, fake, { to: ALICE }, { times: -1 }),
    () => matchers.toHaveChanged.call({}, fake, [{ times: -1 }]),
  ])
    expect(await firstFrameOf(act), String(act)).toContain('callerStack.test.ts')
})

test.each<[string, Act]>([
  ['an unknown option', () => createFakeCalendar({ seeed: 'team' } as never)],
  ['an option of a wrong type', () => createFakeCalendar({ strict: 'yes' as never })],
  ['an invalid seed', () => createFakeCalendar({ seed: { acounts: [] } as never })],
  ['an unknown fixture', () => createFakeCalendar({ seed: 'teem' as never })],
  ['an invalid instant', () => createFakeCalendar({ now: 'now' })],
  ['an invalid name of a world', () => createFakeCalendar().world('a b')],
  ['an invalid duration', () => createFakeCalendar().clock.advance('soon')],
  ['an invalid time', () => createFakeCalendar().clock.advanceTo('then')],
  ['a fork of a snapshot that does not exist', () => createFakeCalendar().fork('none', 'other')],
  ['a value that is no fake', () => intercept({} as never)],
  ['an unknown option of intercept', () => intercept(createFakeCalendar(), { passthru: [] } as never)],
  ['a value that is no address', () => handlers('nowhere')],
  ['a text that is no calendar', () => fromICalendar('no calendar', { owner: ALICE })],
  ['an address that is none', () => connect('nowhere')],
  ['a server that does not answer', () => connect('http://127.0.0.1:1').clock.now()],
])('the error of %s begins with the line of its caller', async (_, act) => {
  expect(await firstFrameOf(act)).toContain('callerStack.test.ts')
})

test('an error that may be a defect keeps its own frames after those of the caller', async () => {
  const fake = createFakeCalendar()
  const asymmetric = { asymmetricMatch: () => (undefined as never as { length: number }).length }
  const act = () => fake.calls.verify('events.list', { body: asymmetric })
  await fake.request('/calendar/v3/calendars/primary/events', { headers: { Authorization: `Bearer ${ALICE}` } })

  expect(await firstFrameOf(act)).toContain('callerStack.test.ts')
  expect(act).toThrow(expect.objectContaining({ stack: expect.stringContaining('asymmetricMatch') }))
})
