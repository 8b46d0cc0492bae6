import type { AgentTask } from '../control/types/task.ts'
import { memoize } from '../db/memo.ts'
import { resolveSeeds } from '../seeds/fixtures.ts'
import type { Seed, SeedAccount, SeedCalendar, SeedEvent } from '../seeds/schema/seed.ts'
import { mapTexts } from './mapTexts.ts'
import { fillPlaceholders } from './placeholders.ts'
import { createRandom, pick, type Random, shuffle } from './random.ts'
import { chooseShift, shiftDatedValue, shiftSeed } from './shift.ts'

/** A task without placeholders, whose seeds are data. `variables` has the chosen values. */
export type PreparedTask = Omit<AgentTask, 'seed' | 'variables'> & {
  readonly seeds: readonly Seed[]
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * Returns the task as it is written, or with `vary` a variation: other values of its variables, other names of people,
 * other times and zones, and another order of records. Equal numbers give equal variations. The prompt and the goal
 * change in the same way as the world.
 */
export function prepareTask(task: AgentTask, vary?: number): PreparedTask {
  if (vary === undefined) return toPreparedTask(task, ([first]) => first)
  const random = createRandom(`${vary} ${task.name}`)
  const chosen = toPreparedTask(task, (values) => pick(values, random))
  const { seeds, now, ...rest } = renamePeople(chosen, random)
  const shift = chooseShift({ seeds, now, goal: rest.goal }, random)
  return {
    ...shiftDatedValue(rest, shift),
    name: task.name,
    now: new Date(Date.parse(now) + shift.ms).toISOString(),
    seeds: seeds.map((seed) => shuffleSeed(shiftSeed(seed, now, shift), random)),
  }
}

const ignoreProblem = (): void => undefined

function toPreparedTask({ seed, ...task }: AgentTask, choose: (values: readonly unknown[]) => unknown) {
  const texts = [seed].flat().every((one) => typeof one === 'string')
  const given = texts ? task : { ...task, seed }
  const variables: Record<string, unknown> = {}
  const chooseOnce = (values: readonly unknown[], name: string) => {
    variables[name] = choose(values)
    return variables[name]
  }
  const filled = fillPlaceholders(given, ignoreProblem, chooseOnce) as AgentTask
  const { seed: inline, variables: _, ...rest } = filled
  return {
    ...rest,
    variables,
    seeds: resolveSeeds(texts ? seed : inline).map(withoutCredentials),
  } satisfies PreparedTask
}

/** Sets one secret API key, because a world with listed keys refuses all others. */
const withoutCredentials = memoize((seed: Seed): Seed => {
  const { oauth: _, tokens: __, apiKeys: ___, ...rest } = seed
  return { ...rest, apiKeys: [createSecret()] }
})

/** Not from a world's source, because an agent could derive the tokens of other attempts from its own. */
export const createSecret = (): string => process.getBuiltinModule('node:crypto').randomBytes(24).toString('base64url')

const GIVEN_NAMES =
  'Aurelio Birgit Casimir Dagny Eskil Fiorella Gudrun Hamza Ilse Jarek Kirsi Leocadia Merit Nadim Oriana Pirmin Quirin Roswitha Suvi Tamsin Ulrik Valeska Wanja Xaver Ylva Zdenka Anselm Bettina Corvin Desmond'.split(
    ' ',
  )
const FAMILY_NAMES =
  'Aldermann Birkeland Castellano Drozd Eklund Fontaine Grimaldi Halvorsen Ivanic Jelinek Karvonen Lindqvist Moravec Nieminen Okonjo Petrakis Quintana Rybak Sandoval Thorsen Underhill Vasquez Wojcik Yilmaz Zapata Amsel Brandao Colbert Dimitrov Esposito'.split(
    ' ',
  )

/**
 * Replaces the names of the people whose address begins with their given name, in all texts. In addresses the names are in
 * lower case.
 */
function renamePeople(task: PreparedTask, random: Random): PreparedTask {
  const people = task.seeds.flatMap(({ accounts = [] }) => accounts.filter(isPerson))
  const newNames = [shuffle(GIVEN_NAMES, random), shuffle(FAMILY_NAMES, random)]
  const replaced = new Map<string, string>()
  for (const { displayName = '' } of people)
    for (const [at, word] of displayName.split(' ').slice(0, 2).entries()) {
      const next = replaced.has(word) ? undefined : newNames[at]?.pop()
      if (next !== undefined) replaced.set(word, next)
    }
  if (replaced.size === 0) return task
  for (const [word, next] of [...replaced]) replaced.set(word.toLowerCase(), next.toLowerCase())
  const words = [...replaced.keys()].map((word) => word.replace(/[^\p{L}\p{N}]/gu, '\\$&'))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'gu')
  return mapTexts(task, (text) =>
    text.replace(pattern, (word, at: number) => {
      const isName = word !== word.toLowerCase() || /^[.\w-]*@/.test(text.slice(at + word.length))
      return isName ? (replaced.get(word) ?? word) : word
    }),
  )
}

const isPerson = ({ email, displayName = '' }: SeedAccount): boolean =>
  /^\p{Lu}\S+( \S+)?$/u.test(displayName) && email.startsWith(displayName.split(' ', 1)[0]?.toLowerCase() ?? '')

/**
 * Changes the order of accounts, calendars and events. The first account stays, and series precede their exceptions. Events
 * with rooms keep their order, because the first one gets a room.
 */
function shuffleSeed(seed: Seed, random: Random): Seed {
  const { accounts: [first, ...others] = [], calendars = [] } = seed
  const hasRooms = ({ events = [] }: SeedCalendar) => events.some(hasRoom)
  return {
    ...seed,
    ...(first && { accounts: [first, ...shuffle(others, random)] }),
    calendars: shuffleExcept(calendars, hasRooms, random).map((calendar) => shuffleEvents(calendar, random)),
  }
}

const hasRoom = ({ attendees }: SeedEvent): boolean =>
  attendees?.some(({ email }) => email?.endsWith('@resource.calendar.google.com')) === true

function shuffleEvents(calendar: SeedCalendar, random: Random): SeedCalendar {
  const { events } = calendar
  if (!events) return calendar
  const mixed = shuffleExcept(events, hasRoom, random)
  const isException = ({ recurringEventId }: SeedEvent) => Boolean(recurringEventId)
  return { ...calendar, events: [...mixed.filter((one) => !isException(one)), ...mixed.filter(isException)] }
}

/** The excepted values keep their order among themselves. */
function shuffleExcept<T>(values: readonly T[], isExcepted: (value: T) => boolean, random: Random): T[] {
  const inOrder = values.filter(isExcepted)
  return shuffle(values, random).map((value) => (isExcepted(value) ? (inOrder.shift() as T) : value))
}
