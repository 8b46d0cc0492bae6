import { type ApiResponse, emptyResponse, jsonResponse, matchesEtag } from '../../http/reply.ts'
import type { WorldData } from '../../model/worldData.ts'
import { apiError } from '../../schema/apiErrors.ts'
import { decodeToken, encodeToken, isString, type ListName, validUntil } from '../../sync/tokens.ts'
import type { RequestContext } from '../requestContext.ts'

/** Resources whose etag is also a header; lists and colours have none (behaviour 11.5). */
const TAGGED = ['Event', 'Calendar', 'CalendarListEntry', 'AclRule', 'Setting']

/** Formats the result of a handler: field mask, etag, 304, and 204 for results without a schema. */
export function respond(context: RequestContext, result: unknown): ApiResponse {
  const { endpoint, request, query, path, mask, fault, data, now } = context
  const { verb, response } = endpoint ?? {}
  if (!response || typeof result !== 'object' || result === null) return emptyResponse(204, { now })
  const etag = 'etag' in result && typeof result.etag === 'string' ? result.etag : undefined
  const isRead = verb === 'GET'
  if (isRead && etag && matchesEtag(etag, request.headers.get('If-None-Match')))
    return emptyResponse(304, { now, etag })
  const body = fault?.effect?.emptyPage ? emptyPage(result, data, path, context.listQuery) : result
  return jsonResponse(mask ? mask(body) : body, {
    now,
    cache: response === 'Colors' ? 'hour' : isRead ? 'private' : 'none',
    indent: query.get('prettyPrint') === 'false' ? 0 : 1,
    etag: TAGGED.includes(response) ? etag : undefined,
  })
}

type Listing = { items?: unknown; nextPageToken?: unknown; nextSyncToken?: unknown }

/** Returns the name under which the page tokens of an emptied page are issued. */
const tokenScope = (path: string): ListName => ['again', path]

/** Returns an empty page whose next page is the requested one. */
export function emptyPage(page: Listing, { epoch }: WorldData, path: string, query: URLSearchParams): object {
  const { items: _, nextPageToken: _page, nextSyncToken: _sync, ...rest } = page
  return { ...rest, nextPageToken: encodeToken(epoch, tokenScope(path), { query: query.toString() }), items: [] }
}

/**
 * Returns the query that a page token of an empty page contains, with `maxResults` of this request. Returns undefined for
 * other tokens. Throws `invalidPageToken` for one of another world, or from before a reset.
 */
export function originalQueryOf(
  { epoch }: WorldData,
  path: string,
  query: URLSearchParams,
): URLSearchParams | undefined {
  const token = query.get('pageToken')
  const content =
    token === null ? undefined : decodeToken<{ query: string }>(token, tokenScope(path), { query: isString })
  if (!content) return undefined
  if ((validUntil(epoch, content) ?? -1) < 0) throw apiError('invalidPageToken')
  const original = new URLSearchParams(content.query)
  const maxResults = query.get('maxResults')
  if (maxResults) original.set('maxResults', maxResults)
  return original
}
