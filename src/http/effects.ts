import type { Asked } from '../rig/asked.ts'
import type { AnyEffect } from '../rig/effects.ts'
import type { Fate } from '../rig/faults.ts'
import type { Outcome } from '../rig/journal.ts'
import { ConnectionLost } from '../rig/lost.ts'
import type { Rig } from '../rig/rig.ts'
import { durationOf } from '../time/clock.ts'
import { type Details, type FaultName, PROJECT, Refusal } from '../wire/refusals.ts'
import { inLetters, type Text } from '../wire/texts.ts'
import { errorAnswer, reasonOf } from './errors.ts'
import { type Answer, jsonAnswer, type Made, made } from './reply.ts'
import { type Spoiling, spoiltReply, type Wire } from './spoilt.ts'

/** What a fault meets: the request's way in, and its way out. */
export type Met = Made & {
  rig: Rig
  /** Where the reply is written, if on a socket. */
  wire?: Wire | undefined
  /** The batch that the request is a part of. What stalls a part stalls all of it. */
  outer?: { readonly request: Request; readonly stalls: Spoiling[] } | undefined
}

/** What is answered in place of the service. */
export type Instead = Answer & { readonly reason?: string | undefined; readonly refusal?: Refusal }

type At = Parameters<typeof errorAnswer>[1] & { gone: () => AbortSignal }

/** What a fault does before a request is carried out: it waits, and then it may be answered already, or never. */
export async function undergo(
  { delays, effect }: Fate,
  asked: Asked,
  { rig }: Met,
  { gone, ...at }: At,
): Promise<Instead | undefined> {
  for (const { length, clock } of delays)
    await (clock === 'world' ? rig.waiting.world(length, asked.method) : rig.waiting.real(length))
  if (effect?.hang) return rig.waiting.forever(gone())
  if (effect?.reset) throw new ConnectionLost()
  if (effect?.fail !== undefined) return failure(effect, effect.fail, asked, at)
  return effect?.status === undefined ? undefined : given(effect, effect.status, at.now)
}

function failure({ status, retryAfter }: AnyEffect, named: FaultName, asked: Asked, at: Omit<At, 'gone'>): Instead {
  const refusal = new Refusal([{ named, details: { ...EXAMPLES, ...detailsOf(asked) } }])
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(secondsOf(retryAfter)) }
  return { ...errorAnswer(refusal, { ...at, status, headers }), reason: reasonOf(refusal), refusal }
}

/** A number is seconds, as the header has them; a text is a duration, in whole seconds up. */
const secondsOf = (retryAfter: number | string): number =>
  typeof retryAfter === 'number' ? Math.ceil(retryAfter) : Math.ceil(durationOf(retryAfter) / 1000)

/** What a refusal names, where its message has a place for it and the request has nothing to say. */
const EXAMPLES: Details = {
  ...{ limit: 'Queries per minute per user', project: PROJECT, role: 'writer', scopes: '' },
  ...{ location: 'timeMin', field: 'timeMin', value: '', problem: 'not good', allowed: '', least: 1, most: 1 },
  ...{ id: 'unknown', type: 'unknown', url: 'https://example.com/notifications', grant: 'unknown' },
}

/** What of it the request says itself. */
const detailsOf = ({ named, query }: Asked): Details => ({
  ...(named.eventId !== undefined && { id: named.eventId }),
  ...(query.has('timeMin') && { value: query.get('timeMin') ?? '' }),
})

const WITHOUT_BODY = [204, 205, 304]

function given({ headers = {}, body }: AnyEffect, status: number, now: number): Instead {
  const answer = jsonAnswer(typeof body === 'object' && body !== null ? body : {}, {
    ...{ status, now, cache: 'none', indent: 1 },
  })
  const isText = typeof body === 'string'
  const plain = isText ? { ...answer.headers, 'Content-Type': 'text/plain; charset=UTF-8' } : answer.headers
  const said = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const others = Object.entries(plain).filter(([name]) => !said.has(name.toLowerCase()))
  return {
    status,
    headers: { ...Object.fromEntries(others), ...headers },
    text: WITHOUT_BODY.includes(status)
      ? null
      : body === undefined
        ? ''
        : isText
          ? body
          : typeof body === 'object' && body !== null
            ? answer.text
            : `${JSON.stringify(body)}\n`,
  }
}

/** A reply as a fault lets it go out, once the request has been carried out, or refused. */
export function ended(answer: Answer, { effect = {} }: Fate, met: Met, gone: () => AbortSignal): Response {
  if (effect.answerLost) throw new ConnectionLost()
  if (effect.empty) return made(emptied(answer), met)
  const spoiling = spoilingOf(effect, met.rig)
  if (!spoiling || answer.text === null) return made(answer, met)
  if (met.outer && spoiling.pause) met.outer.stalls.push(spoiling)
  if (met.outer) return made(spoiling.pause ? answer : cut(answer, answer.text, spoiling.after), met)
  return spoilt(answer, answer.text, spoiling, met, gone)
}

function emptied({ status, headers }: Answer): Answer {
  const { 'Content-Type': _, ...others } = headers
  return { status, headers: { ...others, 'Content-Length': '0' }, text: null }
}

function spoilingOf({ truncate, stall }: AnyEffect, rig: Rig): Spoiling | undefined {
  if (truncate !== undefined) return { after: truncate }
  return stall && { after: stall.after, pause: () => rig.waiting.real(durationOf(stall.for)) }
}

/** A part of a batch has no connection of its own to be cut. */
const cut = (answer: Answer, text: Text, after: number): Answer => ({
  ...answer,
  text: Buffer.from(inLetters(text)).subarray(0, after).toString(),
})

function spoilt(answer: Answer, text: Text, spoiling: Spoiling, met: Met, gone: () => AbortSignal): Response {
  if (!met.wire) return spoiltReply(answer, inLetters(text), spoiling, gone())
  met.wire.spoil(spoiling)
  return made(answer, met)
}

/** A reply, and what the journal is told of it. */
type Heard = { readonly reply: Response; readonly outcome: Outcome }

/** Answers what is no method of the service, signing in, a batch or discovery, as its fate is; and notes it. */
export async function underFate(
  fate: Fate | undefined,
  asked: Asked,
  met: Met,
  at: At,
  act: () => Promise<Heard>,
): Promise<Response> {
  const { journal } = met.rig
  const begun = journal.begin()
  const note = (outcome: Outcome) => journal.note(asked, { ...outcome, fault: fate?.fault }, begun)
  try {
    const instead = fate && (await undergo(fate, asked, met, at))
    const { reply, outcome } = instead ? { reply: made(instead, met), outcome: instead } : await act()
    const out = fate ? ended(instead ?? (await answerOf(reply)), fate, met, at.gone) : reply
    note(outcome)
    return out
  } catch (error) {
    if (error instanceof ConnectionLost) note({})
    throw error
  }
}

const answerOf = async (reply: Response): Promise<Answer> => ({
  status: reply.status,
  headers: Object.fromEntries(reply.headers),
  text: WITHOUT_BODY.includes(reply.status) ? null : await reply.text(),
})

/** A whole batch, as a part of it makes it stall. */
export async function stalled(
  reply: Response,
  { request, stalls: [first] }: NonNullable<Met['outer']>,
  wire: Wire | undefined,
): Promise<Response> {
  if (!first) return reply
  const answer = await answerOf(reply)
  if (!wire) return spoiltReply(answer, inLetters(answer.text ?? ''), first, request.signal)
  wire.spoil(first)
  return made(answer)
}
