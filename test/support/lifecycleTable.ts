/** The operations on a whole world. */
export const LIFECYCLE_OPERATIONS = ['reset', 'restore', 'seed', 'replace', 'fork'] as const
/** An operation on a whole world. */
export type LifecycleOperation = (typeof LIFECYCLE_OPERATIONS)[number]

/** The outcomes for a part of a world, with their labels in docs/reference/control.md. */
export const OUTCOME_LABELS = {
  initial: 'as in the initial state',
  restored: 'as in the snapshot',
  stays: 'stays',
  added: 'the data of the seed is added',
  overridden: 'as in the seed, else it stays',
  seeded: 'only the data of the seed',
  cleared: 'cleared',
} as const
/** The outcome of an operation for a part of a world. */
export type PartOutcome = keyof typeof OUTCOME_LABELS

type Row = Record<LifecycleOperation, PartOutcome> & { about: string }

/**
 * The outcome of each operation for each part of a world, as docs/reference/control.md prints it. The code decides;
 * `lifecycle.test.ts` tries each cell.
 */
const POLICY_ROWS = {
  data: {
    about: 'Accounts, groups, calendars, lists, rules, settings, events; open conference requests',
    ...{ reset: 'initial', restore: 'restored', seed: 'added', replace: 'seeded', fork: 'restored' },
  },
  clock: {
    about: 'The mode and the time of the clock; a reset does not change a clock that was real at first',
    ...{ reset: 'initial', restore: 'restored', seed: 'overridden', replace: 'overridden', fork: 'restored' },
  },
  ids: {
    about:
      'The position of the source of ids; after a restore, ids that were issued since the snapshot are not used again',
    ...{ reset: 'initial', restore: 'stays', seed: 'stays', replace: 'initial', fork: 'restored' },
  },
  grants: {
    about: 'Clients, consents, codes and tokens of OAuth; API keys',
    ...{ reset: 'initial', restore: 'restored', seed: 'added', replace: 'seeded', fork: 'restored' },
  },
  faults: {
    about: 'Faults, and scripted failures of OAuth',
    ...{ reset: 'initial', restore: 'stays', seed: 'added', replace: 'seeded', fork: 'cleared' },
  },
  quota: {
    about: 'The quota, and the units spent',
    ...{ reset: 'cleared', restore: 'stays', seed: 'stays', replace: 'cleared', fork: 'cleared' },
  },
  journal: {
    about: 'The recorded calls',
    ...{ reset: 'cleared', restore: 'stays', seed: 'stays', replace: 'cleared', fork: 'cleared' },
  },
  result: {
    about: 'The result of an attempt of an agent',
    ...{ reset: 'cleared', restore: 'stays', seed: 'stays', replace: 'cleared', fork: 'cleared' },
  },
  mail: {
    about: 'The outbox',
    ...{ reset: 'initial', restore: 'restored', seed: 'added', replace: 'seeded', fork: 'restored' },
  },
  channels: {
    about: 'Channels with their message counts; every operation except a seed drops pending messages',
    ...{ reset: 'initial', restore: 'restored', seed: 'stays', replace: 'seeded', fork: 'restored' },
  },
  holds: {
    about: 'Held channels, and rules for the next messages',
    ...{ reset: 'cleared', restore: 'stays', seed: 'stays', replace: 'cleared', fork: 'cleared' },
  },
  conferences: {
    about: 'The policy and the rules for conference requests',
    ...{ reset: 'initial', restore: 'stays', seed: 'added', replace: 'seeded', fork: 'restored' },
  },
  snapshots: {
    about: 'The snapshots of the world',
    ...{ reset: 'stays', restore: 'stays', seed: 'stays', replace: 'stays', fork: 'cleared' },
  },
} as const satisfies Record<string, Row>

/** A part of a world. */
export type WorldPart = keyof typeof POLICY_ROWS
export const LIFECYCLE_TABLE: Readonly<Record<WorldPart, Row>> = POLICY_ROWS
