import type { SentRequest } from './client.ts'

export type Snippet = { name: string; text: string }

export const codeSnippets = (sent: SentRequest): Snippet[] => [
  { name: 'curl', text: toCurl(sent) },
  { name: 'Node', text: toNode(sent) },
  { name: 'Python', text: toPython(sent) },
]

const allHeaders = ({ headers, body }: SentRequest): Record<string, string> => ({
  ...headers,
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
})

const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function toCurl(sent: SentRequest): string {
  const headers = Object.entries(allHeaders(sent)).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`)
  const body = sent.body === undefined ? [] : [`-d ${quoteForShell(JSON.stringify(sent.body))}`]
  return [`curl -s -X ${sent.verb}`, ...headers, ...body, quoteForShell(sent.url)].join(' ')
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
  const json = body === undefined ? '' : `, json=${toPythonLiteral(body)}`
  return `requests.request(${toPythonLiteral(verb)}, ${toPythonLiteral(url)}, headers=${toPythonLiteral(headers)}${json})`
}

function toPythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(toPythonLiteral).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).flatMap(([name, one]) =>
    one === undefined ? [] : [`${JSON.stringify(name)}: ${toPythonLiteral(one)}`],
  )
  return `{${fields.join(', ')}}`
}
