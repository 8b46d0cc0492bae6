import type { Call } from '../../api/endpoint.ts'
import { parseParams, parseStandardParams } from '../../schema/params.ts'
import { requireSameFilters } from '../../sync/paging.ts'
import { originalQueryOf } from '../emptyPage.ts'
import type { RequestContext } from '../requestContext.ts'
import { textOf } from './readBody.ts'

/** Parses path, query and form parameters. Throws 400. */
export function parseParameters(context: RequestContext): void {
  const { endpoint, query, pathParams, path } = context
  if (!endpoint) return
  const { fields } = parseStandardParams(query)
  context.fields = fields
  const sources = { path: pathParams, query, form: formOf(context) }
  const params = parseParams(endpoint.params, sources)
  const original = query.has('pageToken') ? originalQueryOf(context.data, path, query) : undefined
  context.params = (original ? paramsAfterEmptyPage(context, params, original) : params) as Call['params']
}

/**
 * Returns the parameters of the request whose page was emptied. Parameters that are sent again must be the same; if it had a page
 * token itself, the list compares them with that token.
 */
function paramsAfterEmptyPage(context: RequestContext, params: object, original: URLSearchParams): object {
  const { endpoint, query, pathParams: path } = context
  context.listQuery = original
  const first = parseParams(endpoint?.params ?? {}, { path, query: original })
  const isGiven = ([name]: [string, unknown]): boolean => query.has(name) && name !== 'pageToken'
  const given = Object.fromEntries(Object.entries(params).filter(isGiven))
  if (first.pageToken === undefined) requireSameFilters(given, first)
  return { ...given, ...first }
}

/** Loaded with the first field mask, because it needs all schemas of the service. */
let fieldMask: typeof import('../fieldMask.ts') | undefined

/** Loads the module that `parseFieldMask` needs. Returns undefined if it is loaded, or if the request has no field mask. */
export function loadFieldMask({ query, endpoint }: RequestContext): Promise<void> | undefined {
  if (fieldMask || !query.has('fields') || endpoint?.response === undefined) return undefined
  return import('../fieldMask.ts').then((module) => {
    fieldMask = module
  })
}

/** Parses the field mask. Throws 400. */
export function parseFieldMask(context: RequestContext): void {
  const { fields, endpoint } = context
  if (fields === '' || endpoint?.response === undefined || !fieldMask) return
  const { applyMask, readMask } = fieldMask
  const mask = readMask(fields, endpoint.response)
  if (mask) context.mask = (response) => applyMask(response, mask)
}

/** Returns the parameters in a form-encoded body, as the Ruby client sends them (behaviour 11.14). */
function formOf({ verb, endpoint, rawBody }: RequestContext): URLSearchParams | undefined {
  if (verb !== 'POST' || endpoint?.request) return undefined
  return new URLSearchParams(rawBody?.isForm ? textOf(rawBody) : '')
}
