import { z } from 'zod'
import { type Write, WriteLog } from '../../db/changeLog.ts'
import { Store, type StoreSnapshot } from '../../db/store.ts'
import type { Revision } from '../../db/version.ts'
import { parseInstant } from '../../model/clock.ts'
import { deepestIssue, formatPath, parseData } from '../../schema/values/issues.ts'
import { describeUnknownName } from '../../schema/values/nearest.ts'
import { requireKnownChanges } from '../expectedFields.ts'
import type { ChangeRecord } from '../history/change.ts'
import { type ChangeFilter, changesAfter, type HistoricChange, waitForChanges } from '../history/changes.ts'
import { createViewBefore, type DiffOptions, diffSnapshots, diffWrites, toDiff, toHistory } from '../history/diff.ts'
import { formatChange } from '../history/format.ts'
import { createSnapshotView, KINDS } from '../history/kinds.ts'
import { type ExpectedChange, verifyChanges } from '../history/verify.ts'
import type { Moment } from '../types/world.ts'
import { findAttachedWorld } from '../worlds/world.ts'
import { address, flag, returns, strictShape, times, toInstantText, wait } from './inputs.ts'
import { type ControlContext, defineOperation, InvalidInputError, withErrorField } from './operation.ts'
import { snapshotReference } from './snapshots.ts'

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

const moment = z.custom<MomentInput>(
  (value) =>
    (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ||
    (typeof value === 'string' && value !== '') ||
    (typeof value === 'object' && value !== null && !Array.isArray(value)),
  'a revision, an instant such as 2026-03-02T09:00:00Z, the name of a snapshot, or { "world": name }',
)
const options = { copies: flag.optional(), all: flag.optional(), instances: flag.optional() }
const between = { since: moment.optional(), world: z.string().optional(), until: moment.optional(), ...options }
const expectedValue = z.unknown().optional()
export const EXPECTED_CHANGE = {
  change: record.shape.change.optional(),
  kind: record.shape.kind.optional(),
  account: expectedValue,
  calendarId: expectedValue,
  id: expectedValue,
  title: expectedValue,
  where: expectedValue,
  fields: z.record(z.string(), z.unknown()).optional(),
  times: times.optional(),
}
const expected = z.array(strictShape(EXPECTED_CHANGE))

const isDiffOptions = (value: unknown): value is DiffOptions =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date) &&
  Object.keys(value).every((name) => ['copies', 'all', 'instances'].includes(name))

const toMoment = (moment: Moment | undefined) => (moment instanceof Date ? toInstantText(moment) : moment)

function toDiffInput(since?: Moment | DiffOptions, until?: Moment | DiffOptions, options?: DiffOptions) {
  if (until === undefined && options === undefined && isDiffOptions(since)) return { ...since }
  const rest = isDiffOptions(until) ? until : { until: toMoment(until), ...options }
  return { since: toMoment(since), ...rest }
}

type Between = DiffOptions & {
  since?: MomentInput | undefined
  world?: string | undefined
  until?: MomentInput | undefined
}

function diffMoments(context: ControlContext, { since, world: worldName, until, ...options }: Between): ChangeRecord[] {
  const { world } = context
  if (since !== undefined && worldName !== undefined) throw new InvalidInputError('world', 'give either since or world')
  const first = worldName === undefined ? since : { world: worldName }
  const from = first === undefined ? { snapshot: world.initialSnapshot } : resolveMoment(context, 'since', first)
  const to = until === undefined ? undefined : resolveMoment(context, 'until', until)
  const snapshot = to && 'snapshot' in to ? to.snapshot : world.data.store.snapshot()
  const last = to && 'since' in to ? to.since : Number.POSITIVE_INFINITY
  if ('snapshot' in from) {
    if (to && 'since' in to)
      throw new InvalidInputError('until', 'a revision or an instant needs one in since; add that, or give a snapshot')
    return diffSnapshots(from.snapshot, snapshot, options)
  }
  const store = new Store(snapshot)
  const writes = requireWritesAfter(new WriteLog(store), from.since)
  const later = writes.filter(({ revision }) => revision > last)
  const selected = writes.filter(({ revision }) => revision <= last)
  return diffWrites(selected, createViewBefore(later, createSnapshotView(snapshot)), options)
}

function requireWritesAfter(writes: WriteLog, since: Revision): Write[] {
  const { until } = writes.dropped
  if (since >= until) return writes.after(since)
  throw new InvalidInputError('since', `the writes up to revision ${until} were dropped: use a snapshot`)
}

function requireRevision(since: MomentInput): Revision {
  const revision = parseRevision('since', since)
  if (revision !== undefined) return revision
  throw new InvalidInputError('since', 'give a revision or an instant')
}

type HistoryInput = ChangeFilter & {
  since?: number | string | undefined
  wait?: number | undefined
  all?: boolean | undefined
}
type ChangesPage = { changes: HistoricChange[]; dropped: number }

function readHistory(
  context: ControlContext,
  { since: moment, wait, all, ...filter }: HistoryInput,
): ChangesPage | Promise<ChangesPage> {
  const { changes } = context.world.data
  const since = moment === undefined ? 0 : requireRevision(moment)
  if (moment !== undefined) requireWritesAfter(changes.writes, since)
  const toPage = (found: HistoricChange[]): ChangesPage => ({ changes: found, dropped: changes.writes.dropped.count })
  if (wait === undefined) return toPage(changesAfter(context.world.data, since, filter, all))
  const limits = { timeout: wait, signal: context.signal }
  return waitForChanges(context.world.data, { since, filter, all: all ?? false, ...limits }).then(toPage)
}

function parseExpectations(given: unknown): ExpectedChange[] {
  const result = parseData(strictShape({ expected }), { expected: given })
  if (result.success)
    return withErrorField('expected', () => {
      requireKnownChanges(result.data.expected)
      return result.data.expected
    })
  const issue = deepestIssue(result.error.issues)
  throw new InvalidInputError(formatPath(issue?.path ?? []), issue?.message ?? 'invalid')
}

export const history = {
  diff: defineOperation({
    route: 'GET /diff',
    summary:
      'Returns the changes `since` a revision, an instant or a snapshot, or against another `world`; the default is the initial state. `until` is another such moment; the default is now. `copies` lists guests’ copies as changes of their own; `all` includes etags and the like, and `instances` lists the instances of changed series in place of the series.',
    input: strictShape(between),
    example: { copies: true },
    toInput: toDiffInput,
    ...returns({ changes: z.array(change), text: z.string() }),
    properties: ['text'],
    resultFunctions: ['verify'],
    run: diffMoments,
    reply: (found) => ({ changes: found.map(({ change }) => change), text: found.map(formatChange).join('\n') }),
    toResult: (found, copied) =>
      toDiff(
        found,
        copied.map(({ change }) => change),
        parseExpectations,
      ),
  }),
  'diff.verify': defineOperation({
    route: 'POST /diff/verify',
    summary:
      'Verifies that the changes are exactly those `expected`, as `fake.diff(…).verify(…)` does in process. Otherwise answers 417 with the missing and the unexpected changes.',
    input: strictShape({ ...between, expected }),
    example: { expected: [{ change: 'added', kind: 'event', times: { min: 0 } }, { kind: 'channel' }] },
    expects: { field: 'expected', check: requireKnownChanges },
    toInput: (expected: unknown, ...moments: Parameters<typeof toDiffInput>) => ({
      ...toDiffInput(...moments),
      expected,
    }),
    result: z.object({ verified: z.literal(true), changes: z.array(change) }),
    field: 'changes',
    run(context, { expected, ...selected }) {
      const found = diffMoments(context, selected)
      withErrorField('expected', () => verifyChanges(found, expected))
      return found
    },
    reply: (found) => ({ verified: true, changes: found.map(({ change }) => change) }),
  }),
  changes: defineOperation({
    route: 'GET /changes',
    summary:
      'Lists the writes, the oldest first, `since` a revision or an instant, by `kind`, `account`, `calendarId`, `id`, or the account that wrote (`by`). `wait` waits for the first one, at most 60s. `dropped` counts the earlier writes that were dropped.',
    input: strictShape({
      since: z.union([z.int().min(0), z.string().min(1)]).optional(),
      wait: wait.optional(),
      kind: z.enum(KINDS).optional(),
      account: address.optional(),
      calendarId: z.string().optional(),
      id: z.string().optional(),
      by: z
        .string()
        .refine(
          (text) => text.includes('@') || ['clock', 'control'].includes(text),
          'give an address, clock or control',
        )
        .optional(),
      all: flag.optional(),
    }),
    example: { since: '2026-03-01T12:00:00Z', kind: 'event' },
    ...returns({ changes: z.array(historic), dropped: z.int() }),
    properties: ['dropped'],
    run: readHistory,
    reply: (page) => page,
    toResult: (_, { changes, dropped }) => toHistory(changes, dropped),
  }),
}

/** A moment in process is also the handle of a snapshot, or another world in its present state. */
export type MomentInput = number | string | { world: string } | object
export type ResolvedMoment = { readonly snapshot: StoreSnapshot } | { readonly since: Revision }

const INSTANT = /^\d{4}-\d\d-\d\dT/

export function resolveMoment(context: ControlContext, field: string, moment: MomentInput): ResolvedMoment {
  // A name takes precedence, because a name may look like a revision or an instant.
  const isName = typeof moment === 'string' && context.world.snapshots.list().some(({ name }) => name === moment)
  const since = isName ? undefined : parseRevision(field, moment)
  if (since !== undefined) return { since }
  if (typeof moment === 'object' && 'world' in moment && typeof moment.world === 'string')
    return { snapshot: requireWorldSnapshot(context, field, moment.world) }
  const world = typeof moment === 'object' ? findAttachedWorld(moment) : undefined
  return {
    snapshot: world ? world.data.store.snapshot() : requireSnapshotData(context, field, moment as string | object),
  }
}

/** Returns the revision before an instant, because writes at that very instant come after it. */
export function parseRevision(field: string, moment: MomentInput): Revision | undefined {
  if (typeof moment === 'number') return moment
  if (typeof moment !== 'string') return undefined
  if (/^\d+$/.test(moment)) return Number(moment)
  return INSTANT.test(moment) ? withErrorField(field, () => parseInstant(moment)) * 1000 - 1 : undefined
}

function requireWorldSnapshot({ worlds }: ControlContext, field: string, name: string): StoreSnapshot {
  const world = worlds.find(name)
  if (!world) throw new InvalidInputError(field, describeUnknownName(name, worlds.names(), 'world'))
  return world.data.store.snapshot()
}

function requireSnapshotData({ world }: ControlContext, field: string, value: string | object): StoreSnapshot {
  const found = snapshotReference.safeParse(value)
  if (!found.success) throw new InvalidInputError(field, 'give a snapshot or a world, each by its handle or name')
  return withErrorField(field, () => world.snapshots.requireData(found.data).snapshot)
}
