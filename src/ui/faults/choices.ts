import { control } from '../client.ts'

/** What a fault may do, in the names of whoever is asked to do it. */
export type Choices = {
  /** What it may be on: methods, all of a resource, and what is no method. */
  targets: readonly string[]
  /** Refusals that come of the service itself, whatever is asked. */
  sudden: readonly string[]
  /** All refusals that there are. */
  refusals: readonly string[]
  /** What else may become of a request: `reset`, `hang`. */
  others: readonly string[]
}

type Schema = { anyOf?: Schema[]; properties?: Record<string, Schema>; enum?: string[]; examples?: string[] }
type Document = {
  paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: Schema }> } } }>
}

/** What happens to a request though nothing is wrong with it. */
const SUDDEN =
  /rateLimit|quota|dailyLimit|backendError|unavailable|^authError|^fullSyncRequired|^notFound$|^forbidden$/i

let known: Promise<Choices> | undefined

/** What the document of the control routes says of faults. It is asked once. */
export function choices(): Promise<Choices> {
  known ??= read().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}

async function read(): Promise<Choices> {
  const { data } = await control<Document>('GET', '/openapi.json')
  const fault = data.paths['/_control/faults']?.post?.requestBody?.content['application/json']?.schema
  const effect = fault?.properties?.do?.anyOf?.[0]?.properties ?? {}
  const refusals = effect.fail?.enum ?? []
  return {
    targets: fault?.properties?.on?.anyOf?.[0]?.examples ?? [],
    refusals,
    sudden: refusals.filter((name) => SUDDEN.test(name)),
    others: Object.keys(effect).filter((name) => name !== 'fail'),
  }
}
