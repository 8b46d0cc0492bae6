import type { Agent, AttemptResult, EvidenceCall } from '../control/types/attempts.ts'
import { startTimeout } from '../model/clock.ts'
import { isEqual } from '../schema/values/json.ts'
import { AgentReply } from './agent.ts'
import { AgentFailure, FAILURE_PREFIX } from './attempts.ts'

/** An agent that sends the requests of an attempt again and ends as it did. Equal requests have equal effects in equal worlds. */
export const replayAttempt =
  ({ answer, missing, evidence }: AttemptResult): Agent =>
  async ({ fetch, say }) => {
    for (const { agent } of evidence.conversation ?? []) await say(agent)
    for (const call of evidence.journal.filter(({ toolCall }) => toolCall === undefined))
      await send(call, (init) => fetch(toPath(call), init))
    const { command, stderr } = evidence
    const failure = missing.find(({ what }) => what === 'failure')
    if (failure) throw new AgentFailure(failure.text.replace(FAILURE_PREFIX, ''), { answer, command, stderr })
    return new AgentReply({ answer, command, stderr })
  }

/** Leaves a request that had no answer, such as one that a fault holds, and does not wait for its end. */
async function send(call: EvidenceCall, fetch: (init: RequestInit) => Promise<Response>): Promise<void> {
  const leaving = new AbortController()
  const stop = call.status === undefined ? startTimeout(MAX_UNANSWERED_MS, () => leaving.abort()) : () => {}
  await fetch({ ...toInit(call), signal: leaving.signal })
    .then((reply) => reply.arrayBuffer())
    .catch(() => undefined)
  stop()
}

const MAX_UNANSWERED_MS = 100

/** False if the requests of the first have other effects in the second, such as after a change of the task's world. */
export const hasSameEffects = (one: AttemptResult, again: AttemptResult): boolean =>
  isEqual([one.evidence.diff, one.evidence.mails], [again.evidence.diff, again.evidence.mails])

const TOOL = 'mcp.'
const PATH_PARAMETERS = ['calendarId', 'eventId', 'ruleId', 'setting']

function toPath({ method, path, params, arguments: given }: EvidenceCall): string {
  if (method.startsWith(TOOL)) return path
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params ?? (given as Record<string, string | string[]>)))
    if (!PATH_PARAMETERS.includes(name)) for (const one of [value].flat()) query.append(name, one)
  return query.size > 0 ? `${path}?${query}` : path
}

function toInit({ n, method, verb, params: beside, arguments: given }: EvidenceCall): RequestInit {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const params = { name: method.slice(TOOL.length), arguments: given }
  const body = method.startsWith(TOOL) ? { jsonrpc: '2.0', id: n, method: 'tools/call', params } : given
  return { method: verb, headers, ...(beside && { body: typeof body === 'string' ? body : JSON.stringify(body) }) }
}
