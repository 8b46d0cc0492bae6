import { callControl } from '../../api/client.ts'

/** The choices of a fault: its effects and its requests. */
export type FaultChoices = {
  /** Methods, all methods of a resource, and routes that are no methods. */
  targets: readonly string[]
  /** The names of all errors of the service. */
  errors: readonly string[]
}

type Schema = { anyOf?: Schema[]; properties?: Record<string, Schema>; enum?: string[]; examples?: string[] }
type OpenApi = {
  paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: Schema }> } } }>
}

/** Reads the choices from the OpenAPI document of the control routes. */
export async function readFaultChoices(signal: AbortSignal): Promise<FaultChoices> {
  const { data } = await callControl<OpenApi>('GET', '/openapi.json', { signal })
  const fault = data.paths['/_control/faults']?.post?.requestBody?.content['application/json']?.schema
  const effect = fault?.properties?.do?.anyOf?.[0]?.properties ?? {}
  return { targets: fault?.properties?.on?.anyOf?.[0]?.examples ?? [], errors: effect.fail?.enum ?? [] }
}
