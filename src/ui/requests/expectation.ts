import type { RecordedCall } from '../../testing/journal/recordedCall.ts'
import { type Lines, linesOf, type Made } from '../made.ts'

/** What stands where something secret was, which nothing can be held against. */
const HIDDEN = '[redacted]'

/** What a test would say of a call that it expects. */
export type Expectation = { method: string; where: Record<string, unknown>; account?: string | undefined }

/** That a call like this one was made: the same parameters and body, the same answer, by the same account. */
export function expectationOf({ method, params, body, status, account, cut }: RecordedCall): Expectation {
  const said = Object.entries({ params: open(params), body: cut ? undefined : open(body), status })
  const where = Object.fromEntries(said.filter(([, value]) => value !== undefined && !isEmpty(value)))
  return { method, where, account }
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0

/** Data without what was hidden in it. */
function open(value: unknown): unknown {
  if (typeof value === 'string') return value.includes(HIDDEN) ? undefined : value
  if (Array.isArray(value)) return value.map(open).filter((one) => one !== undefined)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([name, part]) => [name, open(part)] as const)
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined))
}

/** The same as lines of a test in process, and of whoever asks by the route. */
export function expectationLines(expected: Expectation, { url, headers }: Pick<Made, 'url' | 'headers'>): Lines {
  const { method, where, account } = expected
  const more = account === undefined ? '' : `, { account: ${quoted(account)} }`
  const made = { method: 'POST /_control/calls/verify', verb: 'POST', url, headers, body: expected }
  return [
    { name: 'In process', text: `fake.calls.verify(${quoted(method)}, ${literal(where)}${more})` },
    ...linesOf(made).filter(({ name }) => name === 'curl'),
  ]
}

const quoted = (text: string): string => {
  const inside = JSON.stringify(text).slice(1, -1)
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const WIDE = 80

/** Data as JavaScript writes it, on one line where that is short. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, deeper))
    : Object.entries(value).map(([name, one]) => `${key(name)}: ${literal(one, deeper)}`)
  if (parts.length === 0) return open + close
  const gap = open === '{' ? ' ' : ''
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`
  if (line.length + indent.length <= WIDE && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${deeper}${part},`).join('\n')}\n${indent}${close}`
}

const key = (name: string): string => (/^[a-zA-Z_$][\w$]*$/.test(name) ? name : quoted(name))
