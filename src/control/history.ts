import { z } from 'zod'
import { Store } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { type Write, WriteLog } from '../db/writeLog.ts'
import type { Found } from '../history/change.ts'
import { changesAfter, type HistoricChange, viewOfStore, type WhichChanges } from '../history/changes.ts'
import { type DiffOptions, diffBy, diffOf } from '../history/diff.ts'
import { viewBefore } from '../history/difference.ts'
import { KINDS } from '../history/kinds.ts'
import { type Diff, diffOver, type History, historyOver } from '../history/lists.ts'
import { sentences } from '../history/sentences.ts'
import { type ExpectedChange, verifyChanges } from '../history/verify.ts'
import { waitFor } from '../history/waiting.ts'
import { realmBehind } from '../life/handles.ts'
import { isSnapshot } from '../life/snapshots.ts'
import { durationOf } from '../time/clock.ts'
import { deepest, pathOf } from '../wire/issues.ts'
import { knownMoment, type Moment } from './moments.ts'
import { only } from './only.ts'
import { Misfit, of, operation, type Scene } from './operation.ts'

const pair = z.tuple([z.unknown(), z.unknown()])
const record = z.object({
  change: z.enum(['added', 'changed', 'deleted']),
  kind: z.enum(KINDS),
  account: z.string().optional(),
  calendarId: z.string().optional(),
  id: z.string(),
  title: z.string(),
  fields: z.record(z.string(), pair),
})
const change = record.extend({ copies: z.array(record.extend({ copies: z.array(z.unknown()) })) })
const historic = record.extend({
  revision: z.int(),
  at: z.iso.datetime(),
  by: z.string().optional(),
  call: z.int().optional(),
})

/** As JSON says a moment, and in process also what stands for one. */
const moment = z.custom<Moment>(
  (value) =>
    (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ||
    (typeof value === 'string' && value !== '') ||
    (typeof value === 'object' && value !== null && !Array.isArray(value)),
  'a revision, an instant such as 2026-03-02T09:00:00Z, the name of a snapshot, or { "world": name }',
)
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((said) => said === 'true')])
const options = { copies: flag.optional(), all: flag.optional() }
const between = { since: moment.optional(), world: z.string().optional(), until: moment.optional(), ...options }
const often = z.int().min(0).max(1_000_000)
const times = z.union([
  often,
  z
    .strictObject({ min: often.optional(), max: often.optional() })
    .refine(({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max, 'min is more than max'),
])
const wanted = z.unknown().optional()
const expected = z.array(
  only({
    change: record.shape.change.optional(),
    kind: record.shape.kind.optional(),
    account: wanted,
    calendarId: wanted,
    id: wanted,
    title: wanted,
    where: wanted,
    fields: z.record(z.string(), z.unknown()).optional(),
    times: times.optional(),
  }),
)

type Between = DiffOptions & {
  since?: Moment | undefined
  world?: string | undefined
  until?: Moment | undefined
}

/** What changed between two moments: from the world's beginning, where none is said, and to the present. */
function diff(scene: Scene, { since, world, until, ...options }: Between): Found[] {
  const { realm } = scene
  if (since !== undefined && world !== undefined) throw new Misfit('world', 'give either since or world')
  const first = world === undefined ? since : { world }
  const from = first === undefined ? { picture: realm.beginning } : knownMoment(scene, 'since', first)
  const to = until === undefined ? undefined : knownMoment(scene, 'until', until)
  const picture = to && 'picture' in to ? to.picture : realm.world.store.snapshot()
  const last = to && 'since' in to ? to.since : Number.POSITIVE_INFINITY
  if ('picture' in from) {
    if (to && 'since' in to) throw new Misfit('until', 'a revision or an instant goes with one that it is since')
    return diffOf(from.picture, picture, options)
  }
  const store = new Store(picture)
  const writes = remembered(new WriteLog(store), from.since)
  const later = writes.filter(({ revision }) => revision > last)
  const asked = writes.filter(({ revision }) => revision <= last)
  return diffBy(asked, viewBefore(later, viewOfStore(store)), options)
}

/** What was written after a revision; of what is no longer remembered nothing can be told. */
function remembered(writes: WriteLog, since: Revision): Write[] {
  const { until } = writes.dropped
  if (since >= until) return writes.after(since)
  throw new Misfit('since', `the writes up to revision ${until} are no longer remembered: begin from a snapshot`)
}

/** Where a history is to be taken up: after a revision, or with what was written at an instant. */
function sinceOf(scene: Scene, since: Moment): Revision {
  const known = knownMoment(scene, 'since', since)
  if ('since' in known) return known.since
  throw new Misfit('since', 'give a revision or an instant')
}

type HistoryInput = WhichChanges & {
  since?: number | string | undefined
  wait?: string | number | undefined
  all?: boolean | undefined
}
type Told = { changes: HistoricChange[]; dropped: number }

const LONGEST_WAIT = 60_000

function told(scene: Scene, { since: said, wait, all, ...which }: HistoryInput): Told | Promise<Told> {
  const { store, changes } = scene.realm.world
  const since = said === undefined ? 0 : sinceOf(scene, said)
  if (said !== undefined) remembered(changes.writes, since)
  const now = () => changesAfter(changes.writes, store, since, which, all)
  const counted = (found: HistoricChange[]): Told => ({ changes: found, dropped: changes.writes.dropped.count })
  if (wait === undefined) return counted(now())
  const patience = of('wait', () => durationOf(wait))
  if (patience > LONGEST_WAIT) throw new Misfit('wait', 'at most 60s')
  const some = () => {
    const found = now()
    return found.length > 0 ? found : undefined
  }
  return waitFor(changes.writes, patience, some).then((found) => counted(found ?? []))
}

/** What a program says of a moment, as an operation takes it. */
const said = (moment: Moment | Date | undefined): Moment | undefined => {
  if (!(moment instanceof Date)) return moment
  return Number.isNaN(moment.getTime()) ? String(moment) : moment.toISOString()
}

const OPTIONS = ['copies', 'all']
const isOptions = (value: unknown): value is DiffOptions =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date) &&
  !realmBehind(value) &&
  !isSnapshot(value) &&
  Object.keys(value).every((name) => OPTIONS.includes(name))

/** What is asked for in process: options may stand after one moment, after two, or alone. */
const asked = (since?: Moment | Date | DiffOptions, until?: Moment | Date | DiffOptions, options?: DiffOptions) => {
  if (until === undefined && options === undefined && isOptions(since)) return { ...since }
  return {
    since: said(since as Moment),
    ...(isOptions(until) ? until : { until: said(until as Moment), ...options }),
  }
}

/** A list of expectations, or the RangeError that says where it is none. */
function checkedExpectations(given: unknown): ExpectedChange[] {
  const result = expected.safeParse(given)
  if (result.success) return result.data
  const issue = deepest(result.error.issues)
  throw new RangeError(`${pathOf(issue?.path ?? []) || 'verify'}: ${issue?.message ?? 'invalid'}`)
}

/** What is called in process in more than one way, or is handed over as more than data. */
export interface Overloads {
  diff(options: DiffOptions): Diff
  diff(before?: Moment | Date, options?: DiffOptions): Diff
  diff(before: Moment | Date, after: Moment | Date, options?: DiffOptions): Diff
  changes(which?: HistoryInput & { wait?: undefined }): History
  changes(which: HistoryInput): Promise<History>
}

/** What has changed in a world: between two moments, write by write, and whether it is what was expected. */
export const history = [
  operation({
    id: 'control.diff.get',
    verb: 'GET',
    path: '/_control/diff',
    summary:
      'Returns what has changed `since` a revision, an instant, a snapshot or against another `world`, else since the world began; `until` another such moment, else now. With `copies` guests’ copies apart; with `all` etags and their like.',
    input: z.strictObject(between),
    example: { copies: true },
    result: z.object({ changes: z.array(change), text: z.string() }),
    inProcess: {
      diff: asked,
    },
    run: diff,
    reply: (found) => ({ changes: found.map(({ change }) => change), text: sentences(found).join('\n') }),
    handOver: (found, copied) =>
      diffOver(
        found,
        copied.map(({ change }) => change),
        checkedExpectations,
      ),
  }),
  operation({
    id: 'control.diff.verify',
    verb: 'POST',
    path: '/_control/diff/verify',
    summary:
      'Says that what has changed is what was `expected`, all of it and nothing else, as `fake.diff(…).verify(…)` does in process; else 417 with what is missing and what nobody expected.',
    input: z.strictObject({ ...between, expected }),
    example: { expected: [{ change: 'added', kind: 'event', times: { min: 0 } }, { kind: 'channel' }] },
    result: z.object({ verified: z.literal(true), changes: z.array(change) }),
    inProcess: {},
    run(scene, { expected, ...asked }) {
      const found = diff(scene, asked)
      of('expected', () => verifyChanges(found, expected))
      return found
    },
    reply: (found) => ({ verified: true, changes: found.map(({ change }) => change) }),
  }),
  operation({
    id: 'control.changes.list',
    verb: 'GET',
    path: '/_control/changes',
    summary:
      'Lists the writes, the oldest first: `since` a revision or an instant, of a `kind`, an `account`, a `calendarId`, an `id`, or `by` somebody; `wait` waits until there is one, at most 60s. `dropped` counts those that are no longer remembered.',
    input: z.strictObject({
      since: z.union([z.int().min(0), z.string().min(1)]).optional(),
      wait: z.union([z.string(), z.number()]).optional(),
      kind: z.enum(KINDS).optional(),
      account: z.string().optional(),
      calendarId: z.string().optional(),
      id: z.string().optional(),
      by: z.string().optional(),
      all: flag.optional(),
    }),
    example: { since: '2026-03-01T12:00:00Z', kind: 'event' },
    result: z.object({ changes: z.array(historic), dropped: z.int() }),
    inProcess: { changes: (which: HistoryInput = {}) => which },
    run: told,
    handOver: (_, { changes, dropped }) => historyOver(changes, dropped),
  }),
] as const
