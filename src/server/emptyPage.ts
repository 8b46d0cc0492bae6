import type { WorldData } from '../model/worldData.ts'
import { apiError } from '../schema/apiErrors.ts'
import { validUntil } from '../sync/epoch.ts'
import { decodeToken, encodeToken, isText, type ListName } from '../sync/tokens.ts'

type Listing = { items?: unknown; nextPageToken?: unknown; nextSyncToken?: unknown }

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
    token === null ? undefined : decodeToken<{ query: string }>(token, tokenScope(path), { query: isText })
  if (!content) return undefined
  if ((validUntil(epoch, content) ?? -1) < 0) throw apiError('invalidPageToken')
  const original = new URLSearchParams(content.query)
  const maxResults = query.get('maxResults')
  if (maxResults) original.set('maxResults', maxResults)
  return original
}
