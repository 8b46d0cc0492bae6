import type { Chance } from './chance.ts'
import { type Memory, mangled } from './memory.ts'
import * as nasty from './nasty.ts'

/** A schema, as in discovery or from zod. */
export type Shape = {
  type?: string | string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  $ref?: string
  anyOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  additionalProperties?: Shape | boolean
  default?: unknown
}
export type Shapes = Record<string, Shape>

export const PEOPLE = ['alice@example.com', 'bob@example.com', 'carol@example.org'] as const
type Generator = { good: (chance: Chance, memory: Memory) => unknown; bad: readonly unknown[] }
const among = (good: readonly unknown[], bad: readonly unknown[]): Generator => ({
  good: (chance) => chance.of(good),
  bad,
})
const known = (names: string[], ...others: string[]): Generator => ({
  good: (chance, memory) =>
    chance.is(0.8) ? (memory.recall(chance, ...names) ?? chance.of(others)) : chance.of(others),
  bad: nasty.TEXTS,
})

const hour = (chance: Chance, late: number) => {
  const day = `2026-03-0${1 + chance.below(8)}`
  if (chance.is(0.3)) return { date: late ? '2026-03-10' : day }
  return {
    dateTime: `${late ? '2026-03-09' : day}T${10 + late + chance.below(8)}:00:00`,
    timeZone: chance.of(nasty.ZONES),
  }
}
const people = among(PEOPLE, nasty.BAD_PEOPLE)

/** The valid and invalid values of a field or a parameter, by its name. */
// biome-ignore format: a table
const BY_NAME: Record<string, Generator> = {
  /** Ids of events, known or new, and of channels and requests. */
  id: known(['id', 'calendar#event', 'api#channel'], 'event01', 'event02', 'event03', 'lunch00'),
  start: { good: (chance) => hour(chance, 0), bad: [] },
  end: { good: (chance) => hour(chance, 1), bad: [] },
  originalStartTime: { good: (chance) => hour(chance, 0), bad: [] },
  recurrence: { good: (chance) => chance.some([...nasty.RULES, chance.of(nasty.BAD_RULES)], 0.15), bad: nasty.BAD_RULES.map((line) => [line]) },
  timeZone: among(nasty.ZONES, nasty.BAD_ZONES),
  email: people, account: people, value: people, newDataOwner: people, emailAddress: people, to: people, owner: people,
  destination: known(['calendar#calendar'], ...PEOPLE, 'primary'),
  calendarId: known(['calendar#calendar', 'calendar#calendarListEntry'], 'primary', 'primary', 'primary', ...PEOPLE),
  eventId: known(['calendar#event'], 'lunch00', 'daa1100', 'event01'), recurringEventId: known(['calendar#event'], 'daa1100'),
  ruleId: known(['calendar#aclRule'], `user:${PEOPLE[1]}`), setting: known(['calendar#setting'], 'locale', 'timezone'),
  channelId: known(['api#channel'], 'channel-1'), resourceId: known(['resourceId']), requestId: known(['requestId'], 'request-1'),
  pageToken: known(['nextPageToken']), syncToken: known(['nextSyncToken']), iCalUID: known(['iCalUID'], 'one@elsewhere.example'),
  timeMin: among(['2026-03-01T00:00:00Z', '2026-02-01T00:00:00Z'], nasty.BAD_INSTANTS), timeMax: among(['2026-03-20T00:00:00Z', '2027-01-01T00:00:00Z'], nasty.BAD_INSTANTS),
  updatedMin: among(['2026-02-20T00:00:00Z', '2026-03-01T12:00:00Z'], nasty.BAD_INSTANTS), originalStart: among(nasty.INSTANTS, nasty.BAD_INSTANTS),
  maxResults: among([1, 2, 3, 250, 2500], [0, -1, 'x', '99999999999']), maxAttendees: among([1, 2], [0, -1]),
  fields: among(['id', 'items(id,start)', 'items/attendees/email', '*', 'etag,kind'], ['items(', 'items/*/x', 'a,,b', ')', '(', 'items()', 'kind/'.repeat(300), '('.repeat(3000)]),
  text: among(['Lunch tomorrow at noon', 'Dinner with Bob on Friday 7pm-9pm', 'Meeting'], ['', 'x in 9999999999 hours', 'on 31 February', 'at 25:99', 'every day', 'from 9999 to 0', 'next '.repeat(500)]),
  type: among(['web_hook', 'user', 'domain', 'default', 'group', 'hangoutsMeet'], ['', 'webhook', 'constructor']),
  address: among(['https://hooks.example/in'], ['', 'http://hooks.example', 'https://', 'javascript:1', 'https://[::1', 'https://user:p@x.example', `https://x.example/${'a'.repeat(3000)}`]),
  role: among(['reader', 'writer', 'owner', 'freeBusyReader', 'none'], ['', 'god', '__proto__']), scope: { good: (chance) => ({ type: 'user', value: chance.of(PEOPLE) }), bad: [{}, { type: 'default', value: 'x' }, { type: 'constructor', value: 'x' }] },
  eventType: among(['default', 'outOfOffice', 'focusTime', 'workingLocation', 'birthday'], ['fromGmail', 'constructor']), colorId: among(['1', '11'], ['0', '99', 'toString']),
  by: among(nasty.DURATIONS, nasty.BAD_DURATIONS), delay: among(nasty.DURATIONS, nasty.BAD_DURATIONS), expiration: among(['1772500000000', 1_772_500_000_000], ['0', '-1', '1e99', '9'.repeat(30)]),
  world: among(['w1', 'w2', 'blue', 'red'], ['', 'creates an event', 'my~app', '../x', 'a'.repeat(65)]), name: among(['before', 'later'], ['', 'nothing', 'a'.repeat(201)]), from: among(['before', 'later'], ['', 'nothing', {}]),
  since: among(['2026-03-01T12:00:00Z', 0, 'before', { world: 'w1' }], ['', -1, 'nothing', { world: 'nowhere' }, 'T', 1e300, '9'.repeat(400)]), until: among(['2026-03-02T12:00:00Z', 'later'], ['', -1, {}]),
  on: among(['events.*', 'events.insert', '*', ['events.list', 'settings.*'], 'oauth.token', 'batch', 'discovery'], ['', 'events.insrt', [], ['*', '']]),
  do: among([{ fail: 'backendError' }, { fail: 'quotaExceeded', retryAfter: 3 }, { status: 418, body: 'tea' }, { empty: true }, { truncate: 3 }, { emptyPage: true }, { stale: '1m' }, [{ delay: 1 }, { status: 204 }]], [{}, [], { fail: 'constructor' }, { status: 99 }, { status: 200, headers: { 'x\ny': '' } }, { delay: '9'.repeat(400) }, { truncate: -1 }, { stale: -1 }]),
  perMinute: among([1000, 100], [-1, 1.5, 0]), perUserPerMinute: among([1000, 100], [-1, 1.5, 0]),
  where: among([{ summary: 'Lunch' }, { params: { maxResults: 1 } }, { body: { summary: { matches: 'L' } } }], [{ params: 1 }, { $x: 1 }, { body: { matches: '(' } }]),
  // Waits are in real time, so they are always short, also after mangling.
  timeout: among([1, 2, '0ms'], ['x', '-1s', '61s']), count: among([1, 2, 3], [0, -1, 10_001, 1.5]), mode: among(['frozen'], ['x', '']), now: among(nasty.INSTANTS, nasty.BAD_INSTANTS),
}

export type Drafting = {
  chance: Chance
  memory: Memory
  shapes: Shapes /** The share of invalid values. */
  nastiness: number
}

/** Returns a value for a name: mostly valid, often invalid, and sometimes of another type. */
export function saidOf(drafting: Drafting, name: string, shape: Shape = {}, depth = 0): unknown {
  const { chance, memory, nastiness } = drafting
  const way = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined
  if (chance.is(nastiness * 0.2)) return chance.of([...nasty.TEXTS, ...nasty.NUMBERS, ...nasty.OTHERS])
  if (way && !chance.is(nastiness)) return way.good(chance, memory)
  if (way && way.bad.length > 0 && chance.is(0.5)) return chance.of(way.bad)
  if (way && chance.is(0.5)) {
    const good = way.good(chance, memory)
    if (typeof good === 'string') return mangled(chance, good)
  }
  return shaped(drafting, name, shape, depth)
}

function shaped(drafting: Drafting, name: string, shape: Shape, depth: number): unknown {
  const { chance, shapes, nastiness } = drafting
  const odd = chance.is(nastiness)
  if (shape.$ref) return saidOf(drafting, '', shapes[shape.$ref.replace('#/$defs/', '')] ?? {}, depth + 1)
  if (shape.anyOf) return saidOf(drafting, name, chance.of(shape.anyOf) ?? {}, depth)
  if (shape.const !== undefined) return shape.const
  if (shape.enum && !odd) return chance.of(shape.enum)
  if (shape.properties) return draftOf(drafting, shape, depth)
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type
  if (type === 'array')
    return depth > 6
      ? []
      : Array.from({ length: chance.below(odd ? 12 : 3) }, () =>
          saidOf(drafting, name.replace(/s$/, ''), shape.items ?? {}, depth + 1),
        )
  if (type === 'object')
    return Object.fromEntries(chance.some([...nasty.TEXTS, 'a', 'b'], 0.05).map((key) => [key, chance.of(nasty.TEXTS)]))
  if (type === 'boolean') return chance.is(0.5)
  if (type === 'integer' || type === 'number') return odd ? chance.of(nasty.NUMBERS) : chance.below(60)
  if (shape.format === 'date-time') return chance.of(odd ? nasty.BAD_INSTANTS : nasty.INSTANTS)
  if (shape.format === 'date') return chance.of(odd ? nasty.BAD_DATES : nasty.DATES)
  if (odd) return chance.of(nasty.TEXTS)
  return chance.of(['one', 'two', 'https://x.example/y', 'confirmed'])
}

/** The required fields of bodies. */
const NEEDED: Record<string, readonly string[]> = {
  Event: ['start', 'end'], Channel: ['id', 'type', 'address'], AclRule: ['role', 'scope'], Calendar: ['summary'], CalendarListEntry: ['id'], FreeBusyRequest: ['timeMin', 'timeMax', 'items'],
} // biome-ignore format: a table

/** Returns an object with some fields of its schema, and sometimes other fields. */
export function draftOf(
  drafting: Drafting,
  { properties = {} }: Shape,
  depth = 0,
  needed: readonly string[] = [],
): Record<string, unknown> {
  const { chance, nastiness } = drafting
  const known = Object.keys(properties)
  const names = known.filter((name) =>
    needed.includes(name)
      ? !chance.is(nastiness * 0.3)
      : chance.is(name === 'id' ? 0.4 : (depth > 4 ? 0.5 : 3) / (known.length + 3)),
  )
  const entries = names.map((name): [string, unknown] => [name, saidOf(drafting, name, properties[name], depth + 1)])
  if (chance.is(nastiness * 0.2)) entries.push([chance.of(nasty.TEXTS), chance.of(nasty.OTHERS)])
  return Object.fromEntries(entries)
}

/** Returns a body for a method by the name of its schema. */
export const bodyOf = (drafting: Drafting, name: string): unknown => {
  const shape = drafting.shapes[name] ?? {}
  if (name === 'Channel' && !drafting.chance.is(drafting.nastiness))
    return {
      id: `channel-${drafting.chance.below(50)}`,
      type: 'web_hook',
      address: 'https://hooks.example/in',
      ...(drafting.chance.is(0.2) && { params: { ttl: '60' } }),
    }
  return draftOf(drafting, shape, 0, NEEDED[name])
}
