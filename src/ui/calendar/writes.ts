import { type Answered, type Asked, call } from '../client.ts'
import { changed } from '../live.ts'
import { tell } from '../parts/toasts.tsx'
import { Refused, refusalOf } from '../refused.ts'
import { account, world } from '../route.ts'
import { rootOf } from '../where.ts'
import { eventOf, eventPath, eventsPath, type Shown } from './service.ts'
import { refresh } from './state.ts'

/** A write, with what takes it back once it is known what came of it. */
export type Step = { asked: Asked; back(answered: Answered<Shown>): Asked | Promise<Asked> }

/** The copies of an event that go along in a patch: what was, and `null` for what was not there. */
export function inverse(before: Shown, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const was = before as Record<string, unknown>
  return Object.fromEntries(Object.keys(body).map((name) => [name, whole(name, was[name])]))
}

/** A time takes the place of one of the other kind only where the other is said to be none. */
function whole(name: string, value: unknown): unknown {
  if (value === undefined) return null
  return name === 'start' || name === 'end' ? { date: null, dateTime: null, timeZone: null, ...Object(value) } : value
}

/** Who is told of it, as the form has it. */
export type Send = 'all' | 'externalOnly' | 'none'

export const patched = (
  calendarId: string,
  before: Shown,
  body: Record<string, unknown>,
  query: Asked['query'] = {},
): Step => ({
  asked: {
    ...{ method: 'events.patch', verb: 'PATCH', path: eventPath(calendarId, before.id), query, body },
    ifMatch: before.etag,
  },
  back: ({ etag }) => ({
    ...{ method: 'events.patch', verb: 'PATCH', path: eventPath(calendarId, before.id), query },
    body: inverse(before, body),
    ifMatch: etag,
  }),
})

export const inserted = (calendarId: string, body: object, query: Asked['query'] = {}): Step => ({
  asked: { method: 'events.insert', verb: 'POST', path: eventsPath(calendarId), query, body },
  back: ({ data, etag }) => ({
    ...{ method: 'events.delete', verb: 'DELETE', path: eventPath(calendarId, data.id), query },
    ifMatch: etag,
  }),
})

/** A deleted event is there still, as one that is cancelled, and its etag is the one that the deletion made. */
export const deleted = (calendarId: string, before: Shown, query: Asked['query'] = {}): Step => ({
  asked: {
    ...{ method: 'events.delete', verb: 'DELETE', path: eventPath(calendarId, before.id), query },
    ifMatch: before.etag,
  },
  back: async () => ({
    ...{ method: 'events.patch', verb: 'PATCH', path: eventPath(calendarId, before.id), query },
    body: { status: before.status ?? 'confirmed', ...inverse(before, { start: 0, end: 0 }) },
    ifMatch: (await eventOf(calendarId, before.id)).etag,
  }),
})

export const moved = (calendarId: string, eventId: string, destination: string, query: Asked['query'] = {}): Step => {
  const move = (from: string, to: string): Asked => ({
    ...{ method: 'events.move', verb: 'POST', path: `${eventPath(from, eventId)}/move` },
    query: { ...query, destination: to },
  })
  return { asked: move(calendarId, destination), back: () => move(destination, calendarId) }
}

const settled = (): void => {
  changed()
  refresh()
}

/**
 * Does one write after another, tells of the last one what was called, and offers to take all of them back. What is
 * refused is told as well, and thrown on where somebody waits for it.
 */
export async function perform(text: string, steps: readonly Step[]): Promise<Answered<Shown> | undefined> {
  const backs: Asked[] = []
  let last: Answered<Shown> | undefined
  try {
    for (const { asked, back } of steps) {
      last = await call<Shown>(asked)
      backs.unshift(await back(last))
    }
  } finally {
    settled()
  }
  tell({ text, made: last?.made, undo: { title: 'Undo', act: () => takeBack(text, backs) } })
  return last
}

/** The same where nobody waits: a refusal is told. Says whether it was done. */
export async function tried(text: string, steps: readonly Step[]): Promise<boolean> {
  try {
    await perform(text, steps)
    return true
  } catch (error) {
    tell({ text: `Not done: ${text}`, refused: refusalOf(error) })
    return false
  }
}

const CONDITION = 412

async function takeBack(text: string, backs: readonly Asked[]): Promise<void> {
  try {
    await calledBack(text, backs)
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== CONDITION) throw error
    // Somebody else has written to it: what would be lost is theirs, so that it takes another word.
    const free = backs.map(({ ifMatch: _, ...asked }) => asked)
    const [first] = free
    tell({
      text: `Not undone: ${text}. It was written to since; this is the call that would undo it.`,
      made: first && planned(first),
      undo: { title: 'Undo all the same', act: () => calledBack(text, free) },
    })
  }
}

async function calledBack(text: string, backs: readonly Asked[]): Promise<void> {
  let last: Answered<unknown> | undefined
  try {
    for (const asked of backs) last = await call(asked)
  } finally {
    settled()
  }
  tell({ text: `Undone: ${text}`, made: last?.made })
}

/** A call that was not made yet, as it would be. */
function planned({ method, verb = 'GET', path, body }: Asked) {
  const url = `${rootOf(world.peek())}/calendar/v3${path}`
  return { method, verb, url, headers: { Authorization: `Bearer ${account.peek()}` }, body }
}
