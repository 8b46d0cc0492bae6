import type { SentRequest } from './client.ts'
import { quoteForShell } from './shared.ts'

export function toCurl({ verb, url, headers, body }: SentRequest): string {
  const all = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) }
  const options = Object.entries(all).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`)
  const data = body === undefined ? [] : [`-d ${quoteForShell(JSON.stringify(body))}`]
  return [`curl -s -X ${verb}`, ...options, ...data, quoteForShell(url)].join(' ')
}
