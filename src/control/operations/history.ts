import { z } from 'zod'
import { type Write, WriteLog } from '../../db/changeLog.ts'
import { Store } from '../../db/store.ts'
import type { Revision } from '../../db/version.ts'
import { parseDuration } from '../../model/clock.ts'
import { deepestIssue, formatPath } from '../../schema/values/issues.ts'
import type { ChangeRecord } from '../history/change.ts'
import { type ChangeFilter, changesAfter, type HistoricChange, viewOfStore } from '../history/changes.ts'
import { waitForChanges } from '../history/changeWaits.ts'
import { type DiffOptions, diffSnapshots, diffWrites } from '../history/diff.ts'
import { viewBefore } from '../history/difference.ts'
import { KINDS } from '../history/kinds.ts'
import { type Diff, type History, toDiff, toHistory } from '../history/lists.ts'
import { toSentences } from '../history/sentences.ts'
import { type ExpectedChange, verifyChangesInSteps } from '../history/verify.ts'
import { findAttachedWorld } from '../worlds/handles.ts'
import { isSnapshot } from '../worlds/snapshots.ts'
import { type MomentInput, parseRevision, resolveMoment } from './moments.ts'
import { type ControlContext, InvalidInputError, inField, operation } from './operation.ts'
import { strictShape } from './strictShape.ts'

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

/** A moment in JSON, or in process also a handle. */
const moment = z.custom<MomentInput>(
  (value) =>
    (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ||
    (typeof value === 'string' && value !== '') ||
    (typeof value === 'object' && value !== null && !Array.isArray(value)),
  'a revision, an instant such as 2026-03-02T09:00:00Z, the name of a snapshot, or { "world": name }',
)
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
const options = { copies: flag.optional(), all: flag.optional() }
const between = { since: moment.optional(), world: z.string().optional(), until: moment.optional(), ...options }
const occurrences = z.int().min(0).max(1_000_000)
const times = z.union([
  occurrences,
  z
    .strictObject({ min: occurrences.optional(), max: occurrences.optional() })
    .refine(({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max, 'min is more than max'),
])
const expectedValue = z.unknown().optional()
const expected = z.array(
  strictShape({
    change: record.shape.change.optional(),
    kind: record.shape.kind.optional(),
    account: expectedValue,
    calendarId: expectedValue,
    id: expectedValue,
    title: expectedValue,
    where: expectedValue,
    fields: z.record(z.string(), z.unknown()).optional(),
    times: times.optional(),
  }),
)

type Between = DiffOptions & {
  since?: MomentInput | undefined
  world?: string | undefined
  until?: MomentInput | undefined
}

/** Returns the changes between two moments. The defaults are the initial state and the present. */
function diff(context: ControlContext, { since, world: worldName, until, ...options }: Between): ChangeRecord[] {
  const { world } = context
  if (since !== undefined && worldName !== undefined) throw new InvalidInputError('world', 'give either since or world')
  const first = worldName === undefined ? since : { world: worldName }
  const from = first === undefined ? { snapshot: world.beginning } : resolveMoment(context, 'since', first)
  const to = until === undefined ? undefined : resolveMoment(context, 'until', until)
  const snapshot = to && 'snapshot' in to ? to.snapshot : world.data.store.snapshot()
  const last = to && 'since' in to ? to.since : Number.POSITIVE_INFINITY
  if ('snapshot' in from) {
    if (to && 'since' in to) throw new InvalidInputError('until', 'a revision or an instant needs one in since')
    return diffSnapshots(from.snapshot, snapshot, options)
  }
  const store = new Store(snapshot)
  const writes = writesAfter(new WriteLog(store), from.since)
  const later = writes.filter(({ revision }) => revision > last)
  const selected = writes.filter(({ revision }) => revision <= last)
  return diffWrites(selected, viewBefore(later, viewOfStore(store)), options)
}

/** Returns the writes after a revision. Throws an error if some of them were dropped. */
function writesAfter(writes: WriteLog, since: Revision): Write[] {
  const { until } = writes.dropped
  if (since >= until) return writes.after(since)
  throw new InvalidInputError('since', `the writes up to revision ${until} were dropped: use a snapshot`)
}

/** Returns the revision of a moment, which must be a revision or an instant. */
function requireRevision(since: MomentInput): Revision {
  const revision = parseRevision('since', since)
  if (revision !== undefined) return revision
  throw new InvalidInputError('since', 'give a revision or an instant')
}

type HistoryInput = ChangeFilter & {
  since?: number | string | undefined
  wait?: string | number | undefined
  all?: boolean | undefined
}
type ChangesPage = { changes: HistoricChange[]; dropped: number }

const MAX_WAIT_MS = 60_000

function listChanges(
  context: ControlContext,
  { since: text, wait, all, ...filter }: HistoryInput,
): ChangesPage | Promise<ChangesPage> {
  const { store, changes } = context.world.data
  const since = text === undefined ? 0 : requireRevision(text)
  if (text !== undefined) writesAfter(changes.writes, since)
  const toPage = (found: HistoricChange[]): ChangesPage => ({ changes: found, dropped: changes.writes.dropped.count })
  if (wait === undefined) return toPage(changesAfter(changes.writes, store, since, filter, all))
  const timeout = inField('wait', () => parseDuration(wait))
  if (timeout > MAX_WAIT_MS) throw new InvalidInputError('wait', 'at most 60s')
  const limits = { timeout, signal: context.signal }
  return waitForChanges(changes.writes, store, { since, filter, all: all ?? false, ...limits }).then(toPage)
}

/** Converts a Date to text. */
const text = (moment: MomentInput | Date | undefined): MomentInput | undefined => {
  if (!(moment instanceof Date)) return moment
  return Number.isNaN(moment.getTime()) ? String(moment) : moment.toISOString()
}

const OPTIONS = ['copies', 'all']
const isOptions = (value: unknown): value is DiffOptions =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date) &&
  !findAttachedWorld(value) &&
  !isSnapshot(value) &&
  Object.keys(value).every((name) => OPTIONS.includes(name))

/** Converts arguments to an input: options follow one moment, two moments, or none. */
const toDiffInput = (
  since?: MomentInput | Date | DiffOptions,
  until?: MomentInput | Date | DiffOptions,
  options?: DiffOptions,
) => {
  if (until === undefined && options === undefined && isOptions(since)) return { ...since }
  return {
    since: text(since as MomentInput),
    ...(isOptions(until) ? until : { until: text(until as MomentInput), ...options }),
  }
}

/** Validates the argument of `verify`. Throws a RangeError with the path of the wrong field. */
function checkedExpectations(given: unknown): ExpectedChange[] {
  const result = expected.safeParse(given)
  if (result.success) return result.data
  const issue = deepestIssue(result.error.issues)
  throw new RangeError(`${formatPath(issue?.path ?? []) || 'verify'}: ${issue?.message ?? 'invalid'}`)
}

/** The functions with several signatures, or with results that are more than data. */
export interface Overloads {
  diff(options: DiffOptions): Diff
  diff(before?: MomentInput | Date, options?: DiffOptions): Diff
  diff(before: MomentInput | Date, after: MomentInput | Date, options?: DiffOptions): Diff
  changes(filter?: HistoryInput & { wait?: undefined }): History
  changes(filter: HistoryInput): Promise<History>
}

/** Operations of changes: between two moments, write by write, and their verification. */
export const history = [
  operation({
    id: 'control.diff.get',
    verb: 'GET',
    path: '/_control/diff',
    summary:
      'Returns the changes `since` a revision, an instant or a snapshot, or against another `world`; the default is the initial state. `until` is another such moment; the default is now. `copies` lists guests’ copies as changes of their own; `all` includes etags and the like.',
    input: z.strictObject(between),
    example: { copies: true },
    result: z.object({ changes: z.array(change), text: z.string() }),
    inProcess: {
      diff: toDiffInput,
    },
    run: diff,
    reply: (found) => ({ changes: found.map(({ change }) => change), text: toSentences(found).join('\n') }),
    toResult: (found, copied) =>
      toDiff(
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
      'Verifies that the changes are exactly those `expected`, as `fake.diff(…).verify(…)` does in process. Otherwise answers 417 with the missing and the unexpected changes.',
    input: z.strictObject({ ...between, expected }),
    example: { expected: [{ change: 'added', kind: 'event', times: { min: 0 } }, { kind: 'channel' }] },
    result: z.object({ verified: z.literal(true), changes: z.array(change) }),
    inProcess: {},
    async run(context, { expected, ...selected }) {
      const found = diff(context, selected)
      await verifyChangesInSteps(found, expected).catch((error) =>
        inField('expected', () => {
          throw error
        }),
      )
      return found
    },
    reply: (found) => ({ verified: true, changes: found.map(({ change }) => change) }),
  }),
  operation({
    id: 'control.changes.list',
    verb: 'GET',
    path: '/_control/changes',
    summary:
      'Lists the writes, the oldest first, `since` a revision or an instant, by `kind`, `account`, `calendarId`, `id`, or the account that wrote (`by`). `wait` waits for the first one, at most 60s. `dropped` counts the earlier writes that were dropped.',
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
    inProcess: { changes: (filter: HistoryInput = {}) => filter },
    run: listChanges,
    toResult: (_, { changes, dropped }) => toHistory(changes, dropped),
  }),
] as const
