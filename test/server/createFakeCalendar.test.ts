import { expect, test } from 'vitest'
import { createFakeCalendar, SeedError } from '../../src/index.ts'
import { requireFixture } from '../../src/seeds/fixtures.ts'

const wrong: [given: object, message: string][] = [
  [{ sed: {} }, 'createFakeCalendar has no option "sed"; did you mean "seed"?'],
  [{ publicURL: 'http://x' }, 'createFakeCalendar has no option "publicURL"; did you mean "publicUrl"?'],
  [{ webhook: 'any' }, 'createFakeCalendar has no option "webhook"; did you mean "webhooks"?'],
  [{ strict: 'yes' }, 'createFakeCalendar: strict must be true or false'],
  [{ consent: 1 }, 'createFakeCalendar: consent must be true or false'],
  [{ anonymous: true }, 'createFakeCalendar: anonymous must be a string'],
  [{ now: {} }, 'createFakeCalendar: now must be a Date, a number or a string'],
  [
    { conferences: 'soon' },
    'createFakeCalendar: conferences must be one of nextRequest, immediate, delay, reads, manual, or a policy',
  ],
  [
    { conferences: { mode: 'soon' } },
    'createFakeCalendar: conferences must be one of nextRequest, immediate, delay, reads, manual, or a policy',
  ],
  [{ log: true }, 'createFakeCalendar: log must be a function that takes a line'],
  [{ webhooks: 'all' }, 'createFakeCalendar: webhooks must be "loopback" or "any"'],
]

test.each(wrong)('%j is a TypeError', (given, message) => {
  expect(() => createFakeCalendar(given)).toThrow(new TypeError(message))
})

test.each([null, 'team'])('%j as options is a TypeError', (given) => {
  expect(() => createFakeCalendar(given as never)).toThrow(
    new TypeError('createFakeCalendar expects an object of options'),
  )
})

test('an undefined option counts as missing', () => {
  expect(() => createFakeCalendar({ now: undefined, strict: undefined, webhooks: undefined } as object)).not.toThrow()
})

test('a seed can be the name of a fixture, alone or with other seeds', () => {
  const named = createFakeCalendar({ seed: 'team', now: '2026-03-02T09:00:00Z' })
  const imported = createFakeCalendar({ seed: requireFixture('team') as object, now: '2026-03-02T09:00:00Z' })
  const both = createFakeCalendar({ seed: ['default', { accounts: [{ email: 'zoe@example.com' }] }] })

  expect(named.state()).toEqual(imported.state())
  expect(both.state().accounts?.map(({ email }) => email)).toEqual(['alice@example.com', 'zoe@example.com'])
})

test('in process, a world outside of the option `worlds` is a RangeError', () => {
  const fake = createFakeCalendar({ worlds: ['blue'] })

  expect(() => fake.world('red')).toThrow(
    new RangeError('There is no world red. This server was started only for blue; use one of these names.'),
  )
  expect(() => fake.clock.now()).toThrow(RangeError)
  expect(fake.world('blue').worlds()).toEqual(['blue'])
})

test.each(['creates an event', '', 'a/b', 'über', 'x'.repeat(65), 'a~b'])(
  'the world name %j is a RangeError, and creates nothing',
  (name) => {
    const fake = createFakeCalendar()

    expect(() => fake.world(name)).toThrow(RangeError)
    expect(() => fake.world(name)).toThrow(
      'The name of a world is 1 to 64 letters, digits, dots, dashes or underscores',
    )
    expect(fake.worlds()).toEqual(['default'])
    expect(() => createFakeCalendar({ worlds: ['good', name] })).toThrow(TypeError)
  },
)

test('an unknown name of a fixture is a SeedError with the list', () => {
  expect(() => createFakeCalendar({ seed: 'teem' as never })).toThrow(
    new SeedError(
      'there is no demo world "teem"; did you mean "team"? There are default, company, team, clinic, school, heavy',
    ),
  )
})
