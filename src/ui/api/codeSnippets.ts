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

/** JSON texts and objects of texts are literals of Python too. */
function toPython(sent: SentRequest): string {
  const { verb, url, body } = sent
  const data = body === undefined ? '' : `, data=${JSON.stringify(JSON.stringify(body))}.encode()`
  return `requests.request("${verb}", ${JSON.stringify(url)}, headers=${JSON.stringify(allHeaders(sent))}${data})`
}
