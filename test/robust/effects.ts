import type { AnyEffect, EffectName } from '../../src/control/faults/effects.ts'
import { effectMethods } from '../../src/control/faults/effectTable.ts'
import { FAULT_ALIASES, FAULT_NAMES } from '../../src/schema/faultNames.ts'
import type { Chance } from './chance.ts'
import { type Drafting, drawValue, PEOPLE } from './drafts.ts'

const FAILURES = [...FAULT_NAMES, ...FAULT_ALIASES]

/** Valid effects by the field that names them. Durations of real time are short. */
export const SAMPLES: { readonly [N in Exclude<EffectName, 'fail' | 'status'>]: readonly AnyEffect[] } = {
  answerLost: [{ answerLost: true }],
  hang: [{ hang: true }],
  reset: [{ reset: true }],
  stall: [
    { after: 20, for: '1ms' },
    { after: 0, for: '0s' },
    { after: 1, for: 1 },
    { after: 100_000, for: '1ms' },
  ].map((stall) => ({ stall })),
  truncate: [20, 0, 1, 30, 100_000].map((truncate) => ({ truncate })),
  empty: [{ empty: true }],
  emptyPage: [{ emptyPage: true }],
  stale: ['5s', '1ms', '1m', '30d', 0].map((stale) => ({ stale })),
  calendarListLag: [{ calendarListLag: true }],
  deletedCopies: [{ deletedCopies: true }],
  trimmedSeries: [{ trimmedSeries: true }],
}

type Draw = (chance: Chance) => object
/** An effect for each way to end a request. */
export const ENDINGS: Readonly<Record<string, Draw>> = {
  fail: (chance) => ({
    fail: chance.of(FAILURES),
    ...(chance.is(0.2) && { status: chance.of([400, 429, 503, 599]) }),
    ...(chance.is(0.2) && { retryAfter: chance.of([0, 3, 1.5, '90s', '1d']) }),
  }),
  status: (chance) => ({
    status: chance.of([200, 204, 205, 304, 307, 401, 418, 500, 503, 599]),
    ...(chance.is(0.4) && { body: chance.of(['tea', '', {}, { items: 1 }, null, [1], 'x'.repeat(3000)]) }),
    ...(chance.is(0.4) && {
      headers: chance.of([{ 'X-A': 'b' }, { 'Content-Type': 'text/html' }, { Location: '/x' }, { ETag: '"é"' }]),
    }),
  }),
  ...Object.fromEntries(
    Object.entries(SAMPLES).map(([name, samples]) => [
      name,
      (chance: Chance) => chance.of(samples) ?? { [name]: true },
    ]),
  ),
}
/** A delay occurs alone or before an immediate end, so that a timeout has one possible cause. */
const DELAYS: readonly object[] = [
  { delay: 1 },
  { delay: '1ms', clock: 'real' },
  { delay: '1m', clock: 'world' },
  { delay: 0, fail: 'backendError' },
]
const LISTS = ['events.list', 'events.instances', 'acl.list', 'calendarList.*', 'freebusy.query', '*']
const ON = [
  'events.*',
  'events.list',
  'events.insert',
  'events.patch',
  '*',
  ['settings.*', 'acl.*'],
  'oauth.token',
  'batch',
  'discovery',
]

/** Returns a valid fault that is likely to match. */
export function drawFault(drafting: Drafting): object {
  const { chance } = drafting
  const names = Object.keys(ENDINGS)
  const ending = () => {
    const name = chance.of(names) ?? 'fail'
    return [name, ENDINGS[name]?.(chance) ?? {}] as const
  }
  const all = chance.is(0.2)
    ? [ending(), ending()]
    : chance.is(0.2)
      ? [['delay', chance.of(DELAYS) ?? {}] as const]
      : [ending()]
  const effects = all.map(([, effect]) => effect)
  const isOfLists = effects.some((effect) => effectMethods(effect as AnyEffect)?.includes('events.list'))
  return {
    on: chance.of(isOfLists ? LISTS : ON),
    do: effects.length === 1 && chance.is(0.8) ? effects[0] : effects,
    ...(chance.is(0.6) && { times: chance.of([1, 3, 5, 20, 'always']) }),
    ...(chance.is(0.1) && { skip: chance.below(3) }),
    ...(chance.is(0.1) && { every: 1 + chance.below(3) }),
    ...(chance.is(0.1) && { probability: chance.of([0, 0.5, 1]) }),
    ...(chance.is(0.1) && { account: chance.of(PEOPLE) }),
    ...(chance.is(0.1) && { calendarId: drawValue(drafting, 'calendarId') }),
    ...(chance.is(0.1) && { where: drawValue(drafting, 'where') }),
    ...(chance.is(0.1) && { optional: true }),
  }
}

/** Returns true if a fault may keep a request waiting forever, or until the world's clock moves. */
export const mayHang = (effect: object): boolean => 'hang' in effect || ('clock' in effect && effect.clock === 'world')
