import type { Endpoint } from '../../api/endpoint.ts'
import { type ApiResponse, emptyResponse, jsonResponse, matchesEtag } from '../../http/reply.ts'
import { applyToResult } from '../faults.ts'
import type { RequestContext } from '../requestContext.ts'

/** Resources whose etag is also a header; lists and colours have none (behaviour 11.5). */
const TAGGED = ['Event', 'Calendar', 'CalendarListEntry', 'AclRule', 'Setting']

export type Mask = (response: object) => object

type Result = { result: unknown; mask: Mask | undefined; listQuery: URLSearchParams }

/** Applies field mask, etag, 304, and 204 for results without a schema. */
export function respond(
  context: RequestContext,
  { verb, response }: Endpoint,
  { result, mask, listQuery }: Result,
): ApiResponse {
  const { request, query, now } = context
  if (!response || typeof result !== 'object' || result === null) return emptyResponse(204, { now })
  const etag = 'etag' in result && typeof result.etag === 'string' ? result.etag : undefined
  const isRead = verb === 'GET'
  if (isRead && etag && matchesEtag(etag, request.headers.get('If-None-Match')))
    return emptyResponse(304, { now, etag })
  const body = context.record.fault ? applyToResult(context, result, listQuery) : result
  return jsonResponse(mask ? mask(body) : body, {
    now,
    cache: response === 'Colors' ? 'hour' : isRead ? 'private' : 'none',
    indent: query.get('prettyPrint') === 'false' ? 0 : 1,
    etag: TAGGED.includes(response) ? etag : undefined,
  })
}
