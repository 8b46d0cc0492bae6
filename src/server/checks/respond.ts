import { type ApiResponse, emptyResponse, jsonResponse, matchesEtag } from '../../http/reply.ts'
import { requestedPageToken } from '../../sync/paging.ts'
import type { RequestContext } from '../requestContext.ts'

/** Resources whose etag is also a header; lists and colours have none (behaviour 11.5). */
const TAGGED = ['Event', 'Calendar', 'CalendarListEntry', 'AclRule', 'Setting']

/** Formats the result of a handler: field mask, etag, 304, and 204 for results without a schema. */
export function respond(context: RequestContext, result: unknown): ApiResponse {
  const { endpoint, request, query, mask, fault, now } = context
  const { verb, response } = endpoint ?? {}
  if (!response || typeof result !== 'object' || result === null) return emptyResponse(204, { now })
  const etag = 'etag' in result && typeof result.etag === 'string' ? result.etag : undefined
  const isRead = verb === 'GET'
  if (isRead && etag && matchesEtag(etag, request.headers.get('If-None-Match')))
    return emptyResponse(304, { now, etag })
  const body = fault?.effect?.emptyPage ? emptyPage(result, context) : result
  return jsonResponse(mask ? mask(body) : body, {
    now,
    cache: response === 'Colors' ? 'hour' : isRead ? 'private' : 'none',
    indent: query.get('prettyPrint') === 'false' ? 0 : 1,
    etag: TAGGED.includes(response) ? etag : undefined,
  })
}

type Listing = { items?: unknown; nextPageToken?: unknown; nextSyncToken?: unknown }

function emptyPage(page: Listing, { data, path, listQuery }: RequestContext): object {
  const { items: _, nextPageToken: _page, nextSyncToken: _sync, ...rest } = page
  return { ...rest, nextPageToken: requestedPageToken(data, path, listQuery), items: [] }
}
