import { isText, seal, unseal } from '../sync/tokens.ts'
import type { World } from '../world/world.ts'

type Listing = { items?: unknown; nextPageToken?: unknown; nextSyncToken?: unknown }

const tokenScope = (path: string): string => `again/${path}`

/** Returns an empty page whose next page is the requested one. */
export function emptyPage(page: Listing, { life }: World, path: string, query: URLSearchParams): object {
  const { items: _, nextPageToken: _page, nextSyncToken: _sync, ...rest } = page
  return { ...rest, nextPageToken: seal(life, tokenScope(path), { query: query.toString() }), items: [] }
}

/** Returns the query of a list. A token of an empty page contains the original query. */
export function listQueryOf(path: string, query: URLSearchParams): URLSearchParams {
  const token = query.get('pageToken')
  const original = token === null ? undefined : unseal<{ query: string }>(token, tokenScope(path), { query: isText })
  return original ? new URLSearchParams(original.query) : query
}
