import { world } from '../route.ts'
import { rootOf, TOKEN } from '../where.ts'

type Resource = { methods?: Record<string, { id: string }>; resources?: Record<string, Resource> }

/** What a fault may be on beside the methods of the service. */
const BESIDE = ['*', 'oauth.token', 'batch', 'discovery']

let known: Promise<readonly string[]> | undefined

/** What a fault may be on: every method that the service tells of, all of a resource, and what is none. Asked once. */
export function targets(): Promise<readonly string[]> {
  known ??= read().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}

async function read(): Promise<readonly string[]> {
  const headers = { 'X-Fake-Calendar-Inspector': '1', ...(TOKEN !== undefined && { 'X-Fake-Control-Token': TOKEN }) }
  const response = await fetch(`${rootOf(world.peek())}/discovery/v1/apis/calendar/v3/rest`, { headers })
  const methods = methodsOf((await response.json()) as Resource)
  const resources = new Set(methods.map((id) => id.replace(/\.\w+$/, '.*')))
  return [...methods, ...resources, ...BESIDE]
}

/** `events.insert` of `calendar.events.insert`. */
const methodsOf = ({ methods = {}, resources = {} }: Resource): string[] => [
  ...Object.values(methods).map(({ id }) => id.replace(/^calendar\./, '')),
  ...Object.values(resources).flatMap(methodsOf),
]
