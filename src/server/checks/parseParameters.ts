import type { Call } from '../../api/endpoint.ts'
import { readParams, readStandard } from '../../wire/params.ts'
import { listQueryOf } from '../emptyPage.ts'
import type { RequestContext } from '../requestContext.ts'
import { textOf } from './readBody.ts'

/** Parses path, query and form parameters and the field mask. Throws 400. */
export async function parseParameters(context: RequestContext): Promise<void> {
  const { endpoint, query, pathParams, path } = context
  if (!endpoint) return
  const { fields } = readStandard(query)
  if (fields !== '' && endpoint.response !== undefined) {
    // Loaded on first use, because it needs all schemas of the service.
    const { applyMask, readMask } = await import('../fieldMask.ts')
    const mask = readMask(fields, endpoint.response)
    if (mask) context.mask = (response) => applyMask(response, mask)
  }
  if (query.has('pageToken')) context.listQuery = listQueryOf(path, query)
  const sources = { path: pathParams, query: context.listQuery, form: formOf(context) }
  context.params = readParams(endpoint.params, sources) as Call['params']
}

/** Returns the parameters in a form-encoded body, as the Ruby client sends them (behaviour 11.14). */
function formOf({ verb, endpoint, rawBody }: RequestContext): URLSearchParams | undefined {
  if (verb !== 'POST' || endpoint?.request) return undefined
  return new URLSearchParams(rawBody?.isForm ? textOf(rawBody) : '')
}
