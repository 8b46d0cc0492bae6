import type { SentRequest } from './client.ts'

export type Snippet = { name: string; text: string }

/** Returns a request as code in several languages. */
export const codeSnippets = (sent: SentRequest): Snippet[] => [
  { name: 'curl', text: toCurl(sent) },
  { name: 'Node', text: toNode(sent) },
  { name: 'Python', text: toPython(sent) },
]

const allHeaders = ({ headers, body }: SentRequest): Record<string, string> => ({
  ...headers,
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
})

/** Quotes text for a POSIX shell. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function toCurl(sent: SentRequest): string {
  const headers = Object.entries(allHeaders(sent)).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`)
  const body = sent.body === undefined ? [] : [`-d ${shellQuote(JSON.stringify(sent.body))}`]
  return [`curl -s -X ${sent.verb}`, ...headers, ...body, shellQuote(sent.url)].join(' ')
}

function toNode(sent: SentRequest): string {
  const { verb, url, body } = sent
  const init = [
    `  method: ${JSON.stringify(verb)},`,
    `  headers: ${JSON.stringify(allHeaders(sent))},`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ]
  return `await fetch(${JSON.stringify(url)}, {\n${init.join('\n')}\n})`
}

function toPython({ verb, url, headers, body }: SentRequest): string {
  const json = body === undefined ? '' : `, json=${pythonLiteral(body)}`
  return `requests.request(${pythonLiteral(verb)}, ${pythonLiteral(url)}, headers=${pythonLiteral(headers)}${json})`
}

/** Formats JSON data as Python. Only three words differ. */
function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).flatMap(([name, one]) =>
    one === undefined ? [] : [`${JSON.stringify(name)}: ${pythonLiteral(one)}`],
  )
  return `{${fields.join(', ')}}`
}

/** Quotes text as a JavaScript string with single quotes. */
export const jsQuote = (text: string): string => {
  const escaped = JSON.stringify(text).slice(1, -1)
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const MAX_LINE_LENGTH = 80

/** Formats JSON data as a JavaScript literal. Short values stay on one line. */
export function jsLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return jsQuote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = Array.isArray(value)
    ? value.map((one) => jsLiteral(one, deeper))
    : Object.entries(value).map(([name, one]) => `${jsKey(name)}: ${jsLiteral(one, deeper)}`)
  if (parts.length === 0) return open + close
  const gap = open === '{' ? ' ' : ''
  const line = `${open}${gap}${parts.join(', ')}${gap}${close}`
  if (line.length + indent.length <= MAX_LINE_LENGTH && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${deeper}${part},`).join('\n')}\n${indent}${close}`
}

const jsKey = (name: string): string => (/^[a-zA-Z_$][\w$]*$/.test(name) ? name : jsQuote(name))
