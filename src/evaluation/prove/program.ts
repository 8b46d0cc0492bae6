import type { ChangeRecord } from '../../control/history/change.ts'
import { diffSnapshots } from '../../control/history/diff.ts'
import type { TaskGoal } from '../../control/types/task.ts'
import type { World } from '../../control/worlds/world.ts'
import type { Event } from '../../schema/event.ts'
import { runSteps, type Send, sendCall } from '../reference.ts'

/** A program that a proof lets work in place of an agent. Resolves to its answer. */
export type Program = (work: ProgramWork) => Promise<string>

export type ProgramWork = {
  readonly send: Send
  readonly world: World
  readonly account: string
  readonly prompt: string
  readonly goal: TaskGoal
  /** A right answer, if the task wants one. */
  readonly answer: string
  /** The number of the last step of the reference that writes, from 1. */
  readonly lastStep: number | undefined
  /** True if the reference sends mail. */
  readonly sendsMail: boolean
}

/** The program does not fit the task: there is nothing that it could do wrong, or differently. */
export class NotApplicable extends Error {}

export function requireApplicable<T>(value: T | undefined | false | null): T {
  if (value === undefined || value === false || value === null) throw new NotApplicable()
  return value
}

export type Sent = Readonly<Record<string, unknown>>

/** Sends a request of the API. Rejects with NotApplicable if the account may not do that. */
export async function request(send: Send, verb: string, path: string, body?: unknown): Promise<Sent> {
  try {
    return (await sendCall({ verb, path, body }, send, '')) as Sent
  } catch {
    throw new NotApplicable()
  }
}

export const eventPath = ({ calendarId = '' }: { calendarId?: string }, id: string): string =>
  `/calendars/${encodeURIComponent(calendarId)}/events/${encodeURIComponent(id)}`

export type Target = { readonly calendarId: string; readonly event: Event; readonly change: ChangeRecord['change'] }

/** Runs the reference, and returns the events that it made or changed, as the account reads them, those that it made first. */
export async function runReferenceFirst(work: ProgramWork): Promise<Target[]> {
  await runSteps(work.goal.do, work.send)
  return listTargets(work)
}

export async function listTargets({ world, send }: ProgramWork): Promise<Target[]> {
  const changes = diffSnapshots(world.initialSnapshot, world.data.store.snapshot())
    .map(({ change, existed }) =>
      existed && change.change === 'added' ? { ...change, change: 'changed' as const } : change,
    )
    .filter(({ kind, change }) => kind === 'event' && change !== 'deleted')
    .sort((a, b) => Number(b.change === 'added') - Number(a.change === 'added'))
  const targets: Target[] = []
  for (const change of changes) {
    const { calendarId = '', id } = change
    const event = await request(send, 'GET', eventPath(change, id)).catch(() => undefined)
    if (event) targets.push({ calendarId, event: event as unknown as Event, change })
  }
  return targets
}
