import type { Call } from '../../api/endpoint.ts'
import { readParams, readStandard } from '../../wire/params.ts'
import { listQueryOf } from '../emptyPage.ts'
import type { RequestContext } from '../requestContext.ts'
import { textOf } from './readBody.ts'

/** Parses path, query and form parameters. Throws 400. Returns true if the request has a field mask. */
export function parseParameters(context: RequestContext): boolean {
  const { endpoint, query, pathParams, path } = context
  if (!endpoint) return false
  const { fields } = readStandard(query)
  context.fields = fields
  if (query.has('pageToken')) context.listQuery = listQueryOf(path, query)
  const sources = { path: pathParams, query: context.listQuery, form: formOf(context) }
  context.params = readParams(endpoint.params, sources) as Call['params']
  return fields !== '' && endpoint.response !== undefined
}

/** Parses the field mask. Throws 400. Its module is loaded on first use, because it needs all schemas of the service. */
export async function parseFieldMask(context: RequestContext): Promise<void> {
  const { applyMask, readMask } = await import('../fieldMask.ts')
  const mask = readMask(context.fields, context.endpoint?.response ?? '')
  if (mask) context.mask = (response) => applyMask(response, mask)
}

/** Returns the parameters in a form-encoded body, as the Ruby client sends them (behaviour 11.14). */
function formOf({ verb, endpoint, rawBody }: RequestContext): URLSearchParams | undefined {
  if (verb !== 'POST' || endpoint?.request) return undefined
  return new URLSearchParams(rawBody?.isForm ? textOf(rawBody) : '')
}
