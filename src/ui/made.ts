/** A call that the page made, as somebody would make it. */
export type Made = {
  /** `events.patch` of the service, or of `/_control` its route. */
  method: string
  verb: string
  url: string
  /** What it took to be let in. */
  headers: Readonly<Record<string, string>>
  body?: unknown
}

export type Lines = { name: string; text: string }[]

/** The same call in several languages, to be copied. */
export const linesOf = (made: Made): Lines => [
  { name: 'Method', text: made.method },
  { name: 'curl', text: curl(made) },
  { name: 'Node', text: node(made) },
  { name: 'Python', text: python(made) },
]

const headersOf = ({ headers, body }: Made): Record<string, string> => ({
  ...headers,
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
})

/** Safe between single quotes in a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function curl(made: Made): string {
  const headers = Object.entries(headersOf(made)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const body = made.body === undefined ? [] : [`-d ${quoted(JSON.stringify(made.body))}`]
  return [`curl -s -X ${made.verb}`, ...headers, ...body, quoted(made.url)].join(' ')
}

function node(made: Made): string {
  const { verb, url, body } = made
  const init = [
    `  method: ${JSON.stringify(verb)},`,
    `  headers: ${JSON.stringify(headersOf(made))},`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ]
  return `await fetch(${JSON.stringify(url)}, {\n${init.join('\n')}\n})`
}

function python(made: Made): string {
  const { verb, url, headers, body } = made
  const more = body === undefined ? '' : `, json=${literal(body)}`
  return `requests.request(${literal(verb)}, ${literal(url)}, headers=${literal(headers)}${more})`
}

/** Data as Python writes it: JSON but for three words. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).flatMap(([name, one]) =>
    one === undefined ? [] : [`${JSON.stringify(name)}: ${literal(one)}`],
  )
  return `{${fields.join(', ')}}`
}
