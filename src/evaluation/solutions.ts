import type { ChangeRecord } from '../control/history/change.ts'
import { recordsAfter } from '../control/history/changes.ts'
import { diffSnapshots } from '../control/history/diff.ts'
import type { AttemptHost } from '../control/types/attempts.ts'
import type { Attack, Reference, ReferenceStep } from '../control/types/task.ts'
import type { World } from '../control/worlds/world.ts'
import { listMail } from '../effects/mailbox.ts'
import { withWorldPrefix } from '../oauth/request.ts'
import type { Mail } from '../schema/mail.ts'
import { createStartFromSeeds } from '../seeds/worldStart.ts'
import type { Solution } from './grade.ts'
import { mapTexts } from './mapTexts.ts'
import { type ReadableRecord, toReadableRecords } from './records.ts'
import { runSteps, type Send } from './reference.ts'
import { type AttackTrace, isSteps } from './security.ts'
import { createSecret, type PreparedTask } from './variation.ts'

/** What the references of a task do in worlds of their own. */
export type Solutions = {
  readonly all: readonly ReferenceRun[]
  readonly trace: AttackTrace | undefined
}

export type ReferenceRun = {
  readonly reference: Reference
  readonly changes: readonly ChangeRecord[]
  readonly mails: readonly Mail[]
  /** The numbers of the steps, from 1, by the calendar and the id of the record that they first wrote. */
  readonly steps: ReadonlyMap<string, number>
}

/** A world with one token, which belongs to the account of the task. */
export type OpenWorld = {
  readonly name: string
  readonly world: World
  readonly token: string
  /** Returns the mails since its start. */
  readonly listMails: () => Mail[]
}

/** Creates the world of a task. It accepts the returned token alone. */
export function openWorld(
  { worlds }: AttemptHost,
  name: string,
  { seeds, now, account, tools = [] }: PreparedTask,
): OpenWorld {
  worlds.begin(name, createStartFromSeeds({ seeds, now, policy: undefined }))
  const world = worlds.find(name)
  if (!world) throw new Error(`the world ${name} was not created`)
  const { data, controls } = world
  controls.acceptsIssuedTokensOnly = true
  controls.cannedTools = tools
  const token = `ya29.${createSecret()}`
  try {
    data.store.transaction(() => data.grants.put(token, () => ({ token, account: account.toLowerCase() })), {
      by: 'control',
    })
  } catch (error) {
    worlds.remove(name)
    throw error
  }
  const latest = data.mail.last ?? 0
  const listMails = () => listMail(data).filter(({ id }) => id > latest)
  return { name, world, token: withWorldPrefix({ worldName: name }, token), listMails }
}

export const sendFrom =
  (host: AttemptHost, { name, token }: Pick<OpenWorld, 'name' | 'token'>): Send =>
  (path, init) => {
    const request = new Request(new URL(path, `${host.rootUrl()}/`), init)
    request.headers.set('Authorization', `Bearer ${token}`)
    return host.fetchFrom(name, request)
  }

/** Rejects with a RangeError that names the step of the goal that failed. */
export async function solveTask(host: AttemptHost, task: PreparedTask): Promise<Solutions> {
  const { or = [], attack, do: steps, free, say, mail } = task.goal
  const main = { do: steps, free, say, mail }
  const all: ReferenceRun[] = []
  for (const [at, other] of [main, ...or].entries())
    all.push(await runReference(host, task, { ...main, ...other }, at === 0 ? 'goal.do' : `goal.or[${at - 1}].do`))
  const trace = attack && isSteps(attack) ? await traceAttack(host, task, attack, all) : undefined
  return { all, trace }
}

async function runReference(
  host: AttemptHost,
  task: PreparedTask,
  reference: Reference,
  place: string,
): Promise<ReferenceRun> {
  return inOwnWorld(host, task, place, reference.do, ({ world, revisions, listMails }) => {
    const steps = new Map<string, number>()
    for (const [{ revision }, { change }] of recordsAfter(world.data, revisions[0] ?? 0))
      steps.set(
        `${change.calendarId}\n${change.id}`,
        revisions.findIndex((end) => revision <= end),
      )
    return { reference, changes: listChanges(world), mails: listMails(), steps }
  })
}

/** Opens a world, runs steps in it, reads it and removes it. `revisions` are those before the first step and after each. */
async function inOwnWorld<T>(
  host: AttemptHost,
  task: PreparedTask,
  place: string,
  steps: readonly ReferenceStep[],
  read: (ran: OpenWorld & { revisions: readonly number[] }) => T,
): Promise<T> {
  const opened = openWorld(host, `reference-${createSecret().slice(0, 12)}`, task)
  opened.world.controls.stopLog()
  const { store } = opened.world.data
  const revisions = [store.counters.revision]
  try {
    await runSteps(steps, sendFrom(host, opened), () => revisions.push(store.counters.revision))
    return read({ ...opened, revisions })
  } catch (error) {
    throw new RangeError(`${place}: ${(error as Error).message}`)
  } finally {
    host.worlds.remove(opened.name)
  }
}

/** What the steps of an attack do beyond the people whom the references concern. */
async function traceAttack(
  host: AttemptHost,
  task: PreparedTask,
  attack: Extract<Attack, readonly unknown[]>,
  solved: readonly ReferenceRun[],
): Promise<AttackTrace> {
  const concerned = new Set(
    solved.flatMap(({ changes }) => toReadableRecords(changes).flatMap((record) => [...record.people])),
  )
  return inOwnWorld(host, task, 'goal.attack', attack, ({ world, listMails }) => ({
    writes: diffSnapshots(world.initialSnapshot, world.data.store.snapshot()),
    mailTo: listMails()
      .map(({ to }) => to)
      .filter((to) => !concerned.has(to)),
  }))
}

/** The changes since the start of a world, as people read them. */
export const listChanges = (world: World): ChangeRecord[] =>
  diffSnapshots(world.initialSnapshot, world.data.store.snapshot(), { instances: true })

/** Returns the solution with the ids of the calendars that the attempt made in place of its own. */
export function toSolution(run: ReferenceRun, attempted: readonly ChangeRecord[]): Solution {
  const ids = pairNewCalendars(run.changes, attempted)
  const rename = <T>(value: T): T =>
    ids.size === 0
      ? value
      : mapTexts(value, (text) => [...ids].reduce((sum, [from, to]) => sum.replaceAll(from, to), text))
  const renamed = [...ids].map(([from, to]) => [to, from] as const)
  const stepOf = ({ calendarId, ids: written }: ReadableRecord) => {
    const own = renamed.find(([to]) => to === calendarId)?.[1] ?? calendarId
    return written
      .map((id) => run.steps.get(`${own}\n${ids.size === 0 ? id : (renamed.find(([to]) => to === id)?.[1] ?? id)}`))
      .find((step) => step !== undefined)
  }
  return { reference: run.reference, records: toReadableRecords(rename(run.changes)), mails: run.mails, stepOf }
}

function pairNewCalendars(expected: readonly ChangeRecord[], actual: readonly ChangeRecord[]): Map<string, string> {
  const listNew = (changes: readonly ChangeRecord[]) =>
    changes.filter(({ change }) => change.kind === 'calendar' && change.change === 'added').map(({ change }) => change)
  const rest = listNew(actual)
  const pairs = new Map<string, string>()
  for (const { id, title } of listNew(expected)) {
    const at = Math.max(
      0,
      rest.findIndex((one) => one.title === title),
    )
    const [found] = rest.splice(at, 1)
    if (found) pairs.set(id, found.id)
  }
  return pairs
}
