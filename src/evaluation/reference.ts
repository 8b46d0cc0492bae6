import type { Reference, ReferenceStep } from '../control/types/task.ts'
import { isObject } from '../schema/values/json.ts'
import { findField, mapTexts } from './mapTexts.ts'

/** A step as a request: a tool of MCP with its arguments, or a method of the API with its path and its body. */
export type StepCall =
  | { readonly tool: string; readonly given: Readonly<Record<string, unknown>> }
  | { readonly verb: string; readonly path: string; readonly body: unknown }

/** Sends a request with the token of the account. */
export type Send = (path: string, init: RequestInit) => Promise<Response>

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/

/** Returns undefined for a step of another form. */
export function parseStep(step: ReferenceStep): StepCall | undefined {
  const [[name, given] = ['', undefined], more] =
    typeof step === 'string' ? [[step, undefined]] : Object.entries(Object(step))
  if (more !== undefined) return undefined
  const [, verb, path] = REQUEST.exec(name) ?? []
  if (verb !== undefined && path !== undefined) return { verb, path, body: given ?? undefined }
  return /^\w+$/.test(name) && isObject(given ?? {}) ? { tool: name, given: Object(given) } : undefined
}

/**
 * Sends the steps in their order. Resolves to their replies. Rejects with an Error that names the step that failed. `onStep` is
 * called after each one.
 */
export async function runSteps(
  steps: Reference['do'],
  send: Send,
  onStep: (at: number) => void = () => {},
): Promise<unknown[]> {
  const replies: unknown[] = []
  for (const [at, step] of steps.entries()) {
    const call = parseStep(step)
    if (!call) throw new Error(`step ${at + 1} is no call`)
    replies.push(await sendCall(fillReplies(call, replies), send, `step ${at + 1}`))
    onStep(at)
  }
  return replies
}

export async function sendCall(call: StepCall, send: Send, name: string): Promise<unknown> {
  if ('tool' in call) return callTool(call, send, name)
  const { verb, path, body } = call
  const reply = await send(`/calendar/v3${path}`, {
    method: verb,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && verb !== 'GET' && verb !== 'DELETE' && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${name}: ${verb} ${path}: ${findMessage(text) ?? `status ${reply.status}`}`)
  return text === '' ? {} : JSON.parse(text)
}

async function callTool({ tool, given }: { tool: string; given: object }, send: Send, name: string): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const params = { name: tool, arguments: given }
  const reply = await send('/mcp/v1', {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { result, error } = (await reply.json()) as {
    result?: { isError?: boolean; content: { text?: string }[]; structuredContent?: unknown }
    error?: { message: string }
  }
  const problem = error?.message ?? (result?.isError ? result.content[0]?.text : undefined)
  if (problem !== undefined) throw new Error(`${name}: ${tool}: ${problem}`)
  return result?.structuredContent ?? {}
}

function findMessage(text: string): string | undefined {
  try {
    return JSON.parse(text).error.message
  } catch {
    return undefined
  }
}

const REPLY = /\{\{\s*(\d+)((?:\.[\w-]+)*)\s*\}\}/g

/** Replaces `{{1.id}}`. Throws an Error for a field that the reply does not have. */
export const fillReplies = <T>(value: T, replies: readonly unknown[]): T =>
  mapTexts(value, (text) =>
    text.replace(REPLY, (whole, step: string, path: string) => {
      const found = findField(replies[Number(step) - 1], path.split('.').slice(1))
      if (typeof found !== 'string' && typeof found !== 'number')
        throw new Error(`${whole}: the reply has no such text`)
      return String(found)
    }),
  )
