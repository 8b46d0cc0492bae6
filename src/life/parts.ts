/** What can be done to a world as a whole. */
export const TURNS = ['reset', 'restore', 'seed', 'replace', 'fork'] as const
export type Turn = (typeof TURNS)[number]

/** What may become of a part of a world, in the words of its page. */
export const FATES = {
  begun: 'as the world began',
  taken: 'as in the snapshot',
  stays: 'stays',
  added: 'what the seed says is added',
  said: 'as the seed says; else it stays',
  seeded: 'what the seed says alone',
  anew: 'begins anew, empty',
} as const
export type Fate = keyof typeof FATES

type Row = Record<Turn, Fate> & {
  about: string
  /** The states of the store that hold it, where they do not share the fate of all data. */
  states?: readonly string[]
}

/** A world by its parts, and what becomes of each: the one place that says it. */
const ROWS = {
  data: {
    about: 'Accounts, groups, calendars, lists, rules, settings, events; open requests for conferences',
    ...{ reset: 'begun', restore: 'taken', seed: 'added', replace: 'seeded', fork: 'taken' },
  },
  clock: {
    about: 'The mode of the clock and the instant it shows; one that began as real is left as it is by a reset',
    ...{ reset: 'begun', restore: 'taken', seed: 'said', replace: 'said', fork: 'taken' },
  },
  ids: {
    about: 'Where the source of ids stands; after a restore no id comes again that was given out since the snapshot',
    ...{ reset: 'begun', restore: 'stays', seed: 'stays', replace: 'begun', fork: 'taken' },
  },
  grants: {
    about: 'Clients, consents, codes and tokens of OAuth; API keys',
    ...{ reset: 'begun', restore: 'taken', seed: 'added', replace: 'seeded', fork: 'taken' },
  },
  faults: {
    about: 'What fails on cue: faults, and failures of OAuth',
    states: ['oauth/cues'],
    ...{ reset: 'begun', restore: 'stays', seed: 'added', replace: 'seeded', fork: 'anew' },
  },
  quota: {
    about: 'The quota, and what of it is used',
    ...{ reset: 'anew', restore: 'stays', seed: 'stays', replace: 'anew', fork: 'anew' },
  },
  journal: {
    about: 'The calls that were made',
    ...{ reset: 'anew', restore: 'stays', seed: 'stays', replace: 'anew', fork: 'anew' },
  },
  mail: {
    about: 'The outbox',
    ...{ reset: 'begun', restore: 'taken', seed: 'added', replace: 'seeded', fork: 'taken' },
  },
  channels: {
    about: 'Watches, with how many messages each has had; messages on their way are dropped by all but a seed',
    ...{ reset: 'begun', restore: 'taken', seed: 'stays', replace: 'seeded', fork: 'taken' },
  },
  holds: {
    about: 'Messages of which channels are held, and what becomes of the next ones',
    ...{ reset: 'anew', restore: 'stays', seed: 'stays', replace: 'anew', fork: 'anew' },
  },
  conferences: {
    about: 'The policy and the rules by which requests for conferences are answered',
    states: ['conferences/policy', 'conferences/rules'],
    ...{ reset: 'begun', restore: 'stays', seed: 'added', replace: 'seeded', fork: 'taken' },
  },
  snapshots: {
    about: 'The snapshots that were taken of it',
    ...{ reset: 'stays', restore: 'stays', seed: 'stays', replace: 'stays', fork: 'anew' },
  },
} as const satisfies Record<string, Row>

export type Part = keyof typeof ROWS
export const PARTS: Readonly<Record<Part, Row>> = ROWS
/** The parts that are no data of the store: whoever keeps them takes one back when it is told to. */
const BESIDE = ['faults', 'quota', 'journal'] as const satisfies readonly Part[]
export type Beside = { clear(part: (typeof BESIDE)[number]): void }

/** The states of the store that meet a fate of their own. */
export const statesOf = (turn: Turn, fate: Fate): string[] =>
  Object.values(PARTS).flatMap((row) => (row[turn] === fate ? (row.states ?? []) : []))

const BEGINS_AGAIN: readonly Fate[] = ['anew', 'begun', 'seeded']
/** What of them begins again with each turn. */
const BEGINNING = new Map(
  TURNS.map((turn) => [turn, BESIDE.filter((part) => BEGINS_AGAIN.includes(PARTS[part][turn]))]),
)

/** Empties what is kept beside the store and begins again. */
export function clearBeside(beside: Beside, turn: Turn): void {
  for (const part of BEGINNING.get(turn) ?? []) beside.clear(part)
}
