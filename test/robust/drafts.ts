import type { Chance } from './chance.ts'
import * as edgeValues from './edgeValues.ts'
import { type Memory, mangleText } from './memory.ts'

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
type Generator = { valid: (chance: Chance, memory: Memory) => unknown; invalid: readonly unknown[] }
/** Returns a generator that draws from two lists. */
const createGenerator = (valid: readonly unknown[], invalid: readonly unknown[]): Generator => ({
  valid: (chance) => chance.of(valid),
  invalid,
})
/** Returns a generator that mostly draws values of these names from earlier responses, else one of `others`. */
const createKnownGenerator = (names: string[], ...others: string[]): Generator => ({
  valid: (chance, memory) =>
    chance.is(0.8) ? (memory.recall(chance, ...names) ?? chance.of(others)) : chance.of(others),
  invalid: edgeValues.TEXTS,
})

/** Draws a start (`late` 0) or an end (1) in March 2026: a date, or a local time with a zone. */
const drawTime = (chance: Chance, late: number) => {
  const day = `2026-03-0${1 + chance.below(8)}`
  if (chance.is(0.3)) return { date: late ? '2026-03-10' : day }
  return {
    dateTime: `${late ? '2026-03-09' : day}T${10 + late + chance.below(8)}:00:00`,
    timeZone: chance.of(edgeValues.ZONES),
  }
}
const people = createGenerator(PEOPLE, edgeValues.BAD_PEOPLE)

/** The valid and invalid values of a field or a parameter, by its name. */
// biome-ignore format: a table
const BY_NAME: Record<string, Generator> = {
  /** Existing and new ids of events, and ids of channels and requests. */
  id: createKnownGenerator(['id', 'calendar#event', 'api#channel'], 'event01', 'event02', 'event03', 'lunch00'),
  start: { valid: (chance) => drawTime(chance, 0), invalid: [] },
  end: { valid: (chance) => drawTime(chance, 1), invalid: [] },
  originalStartTime: { valid: (chance) => drawTime(chance, 0), invalid: [] },
  recurrence: { valid: (chance) => chance.some([...edgeValues.RULES, chance.of(edgeValues.BAD_RULES)], 0.15), invalid: edgeValues.BAD_RULES.map((line) => [line]) },
  timeZone: createGenerator(edgeValues.ZONES, edgeValues.BAD_ZONES),
  email: people, account: people, value: people, newDataOwner: people, emailAddress: people, to: people, owner: people,
  destination: createKnownGenerator(['calendar#calendar'], ...PEOPLE, 'primary'),
  calendarId: createKnownGenerator(['calendar#calendar', 'calendar#calendarListEntry'], 'primary', 'primary', 'primary', ...PEOPLE),
  eventId: createKnownGenerator(['calendar#event'], 'lunch00', 'daa1100', 'event01'), recurringEventId: createKnownGenerator(['calendar#event'], 'daa1100'),
  ruleId: createKnownGenerator(['calendar#aclRule'], `user:${PEOPLE[1]}`), setting: createKnownGenerator(['calendar#setting'], 'locale', 'timezone'),
  channelId: createKnownGenerator(['api#channel'], 'channel-1'), resourceId: createKnownGenerator(['resourceId']), requestId: createKnownGenerator(['requestId'], 'request-1'),
  pageToken: createKnownGenerator(['nextPageToken']), syncToken: createKnownGenerator(['nextSyncToken']), iCalUID: createKnownGenerator(['iCalUID'], 'one@elsewhere.example'),
  timeMin: createGenerator(['2026-03-01T00:00:00Z', '2026-02-01T00:00:00Z'], edgeValues.BAD_INSTANTS), timeMax: createGenerator(['2026-03-20T00:00:00Z', '2027-01-01T00:00:00Z'], edgeValues.BAD_INSTANTS),
  updatedMin: createGenerator(['2026-02-20T00:00:00Z', '2026-03-01T12:00:00Z'], edgeValues.BAD_INSTANTS), originalStart: createGenerator(edgeValues.INSTANTS, edgeValues.BAD_INSTANTS),
  maxResults: createGenerator([1, 2, 3, 250, 2500], [0, -1, 'x', '99999999999']), maxAttendees: createGenerator([1, 2], [0, -1]),
  fields: createGenerator(['id', 'items(id,start)', 'items/attendees/email', '*', 'etag,kind'], ['items(', 'items/*/x', 'a,,b', ')', '(', 'items()', 'kind/'.repeat(300), '('.repeat(3000)]),
  text: createGenerator(['Lunch tomorrow at noon', 'Dinner with Bob on Friday 7pm-9pm', 'Meeting'], ['', 'x in 9999999999 hours', 'on 31 February', 'at 25:99', 'every day', 'from 9999 to 0', 'next '.repeat(500)]),
  type: createGenerator(['web_hook', 'user', 'domain', 'default', 'group', 'hangoutsMeet'], ['', 'webhook', 'constructor']),
  address: createGenerator(['https://hooks.example/in'], ['', 'http://hooks.example', 'https://', 'javascript:1', 'https://[::1', 'https://user:p@x.example', `https://x.example/${'a'.repeat(3000)}`]),
  role: createGenerator(['reader', 'writer', 'owner', 'freeBusyReader', 'none'], ['', 'god', '__proto__']), scope: { valid: (chance) => ({ type: 'user', value: chance.of(PEOPLE) }), invalid: [{}, { type: 'default', value: 'x' }, { type: 'constructor', value: 'x' }] },
  eventType: createGenerator(['default', 'outOfOffice', 'focusTime', 'workingLocation', 'birthday'], ['fromGmail', 'constructor']), colorId: createGenerator(['1', '11'], ['0', '99', 'toString']),
  by: createGenerator(edgeValues.DURATIONS, edgeValues.BAD_DURATIONS), delay: createGenerator(edgeValues.DURATIONS, edgeValues.BAD_DURATIONS), expiration: createGenerator(['1772500000000', 1_772_500_000_000], ['0', '-1', '1e99', '9'.repeat(30)]),
  world: createGenerator(['w1', 'w2', 'blue', 'red'], ['', 'creates an event', 'my~app', '../x', 'a'.repeat(65)]), name: createGenerator(['before', 'later'], ['', 'nothing', 'a'.repeat(201)]), from: createGenerator(['before', 'later'], ['', 'nothing', {}]),
  since: createGenerator(['2026-03-01T12:00:00Z', 0, 'before', { world: 'w1' }], ['', -1, 'nothing', { world: 'nowhere' }, 'T', 1e300, '9'.repeat(400)]), until: createGenerator(['2026-03-02T12:00:00Z', 'later'], ['', -1, {}]),
  on: createGenerator(['events.*', 'events.insert', '*', ['events.list', 'settings.*'], 'oauth.token', 'batch', 'discovery'], ['', 'events.insrt', [], ['*', '']]),
  do: createGenerator([{ fail: 'backendError' }, { fail: 'quotaExceeded', retryAfter: 3 }, { status: 418, body: 'tea' }, { empty: true }, { truncate: 3 }, { emptyPage: true }, { stale: '1m' }, [{ delay: 1 }, { status: 204 }]], [{}, [], { fail: 'constructor' }, { status: 99 }, { status: 200, headers: { 'x\ny': '' } }, { delay: '9'.repeat(400) }, { truncate: -1 }, { stale: -1 }]),
  perMinute: createGenerator([1000, 100], [-1, 1.5, 0]), perUserPerMinute: createGenerator([1000, 100], [-1, 1.5, 0]),
  where: createGenerator([{ summary: 'Lunch' }, { params: { maxResults: 1 } }, { body: { summary: { matches: 'L' } } }], [{ params: 1 }, { $x: 1 }, { body: { matches: '(' } }]),
  // Waits are in real time, so they are always short, also after mangling.
  timeout: createGenerator([1, 2, '0ms'], ['x', '-1s', '61s']), count: createGenerator([1, 2, 3], [0, -1, 10_001, 1.5]), mode: createGenerator(['frozen'], ['x', '']), now: createGenerator(edgeValues.INSTANTS, edgeValues.BAD_INSTANTS),
}

export type Drafting = {
  chance: Chance
  memory: Memory
  shapes: Shapes /** The share of invalid values. */
  invalidShare: number
}

/** Returns a value for a name: mostly valid, often invalid, and sometimes of another type. */
export function drawValue(drafting: Drafting, name: string, shape: Shape = {}, depth = 0): unknown {
  const { chance, memory, invalidShare } = drafting
  const way = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined
  if (chance.is(invalidShare * 0.2))
    return chance.of([...edgeValues.TEXTS, ...edgeValues.NUMBERS, ...edgeValues.OTHERS])
  if (way && !chance.is(invalidShare)) return way.valid(chance, memory)
  if (way && way.invalid.length > 0 && chance.is(0.5)) return chance.of(way.invalid)
  if (way && chance.is(0.5)) {
    const valid = way.valid(chance, memory)
    if (typeof valid === 'string') return mangleText(chance, valid)
  }
  return drawShaped(drafting, name, shape, depth)
}

/** Draws a value of a JSON schema. `name` is that of its field. */
function drawShaped(drafting: Drafting, name: string, shape: Shape, depth: number): unknown {
  const { chance, shapes, invalidShare } = drafting
  const odd = chance.is(invalidShare)
  if (shape.$ref) return drawValue(drafting, '', shapes[shape.$ref.replace('#/$defs/', '')] ?? {}, depth + 1)
  if (shape.anyOf) return drawValue(drafting, name, chance.of(shape.anyOf) ?? {}, depth)
  if (shape.const !== undefined) return shape.const
  if (shape.enum && !odd) return chance.of(shape.enum)
  if (shape.properties) return drawObject(drafting, shape, depth)
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type
  if (type === 'array')
    return depth > 6
      ? []
      : Array.from({ length: chance.below(odd ? 12 : 3) }, () =>
          drawValue(drafting, name.replace(/s$/, ''), shape.items ?? {}, depth + 1),
        )
  if (type === 'object')
    return Object.fromEntries(
      chance.some([...edgeValues.TEXTS, 'a', 'b'], 0.05).map((key) => [key, chance.of(edgeValues.TEXTS)]),
    )
  if (type === 'boolean') return chance.is(0.5)
  if (type === 'integer' || type === 'number') return odd ? chance.of(edgeValues.NUMBERS) : chance.below(60)
  if (shape.format === 'date-time') return chance.of(odd ? edgeValues.BAD_INSTANTS : edgeValues.INSTANTS)
  if (shape.format === 'date') return chance.of(odd ? edgeValues.BAD_DATES : edgeValues.DATES)
  if (odd) return chance.of(edgeValues.TEXTS)
  return chance.of(['one', 'two', 'https://x.example/y', 'confirmed'])
}

/** The required fields of bodies. */
const NEEDED: Record<string, readonly string[]> = {
  Event: ['start', 'end'], Channel: ['id', 'type', 'address'], AclRule: ['role', 'scope'], Calendar: ['summary'], CalendarListEntry: ['id'], FreeBusyRequest: ['timeMin', 'timeMax', 'items'],
} // biome-ignore format: a table

/** Returns an object with some fields of its schema, and sometimes other fields. */
export function drawObject(
  drafting: Drafting,
  { properties = {} }: Shape,
  depth = 0,
  needed: readonly string[] = [],
): Record<string, unknown> {
  const { chance, invalidShare } = drafting
  const all = Object.keys(properties)
  const names = all.filter((name) =>
    needed.includes(name)
      ? !chance.is(invalidShare * 0.3)
      : chance.is(name === 'id' ? 0.4 : (depth > 4 ? 0.5 : 3) / (all.length + 3)),
  )
  const entries = names.map((name): [string, unknown] => [name, drawValue(drafting, name, properties[name], depth + 1)])
  if (chance.is(invalidShare * 0.2)) entries.push([chance.of(edgeValues.TEXTS), chance.of(edgeValues.OTHERS)])
  return Object.fromEntries(entries)
}

/** Returns a body for a method by the name of its schema. */
export const drawBody = (drafting: Drafting, name: string): unknown => {
  const shape = drafting.shapes[name] ?? {}
  if (name === 'Channel' && !drafting.chance.is(drafting.invalidShare))
    return {
      id: `channel-${drafting.chance.below(50)}`,
      type: 'web_hook',
      address: 'https://hooks.example/in',
      ...(drafting.chance.is(0.2) && { params: { ttl: '60' } }),
    }
  return drawObject(drafting, shape, 0, NEEDED[name])
}
