import { isText, seal, unseal } from '../sync/tokens.ts'
import type { World } from '../world/world.ts'

type Listing = { items?: unknown; nextPageToken?: unknown; nextSyncToken?: unknown }

const listOf = (path: string): string => `again/${path}`

/** A page that has nothing on it, whose next page is the one that was asked for. */
export function emptyPage(page: Listing, { life }: World, path: string, query: URLSearchParams): object {
  const { items: _, nextPageToken: _page, nextSyncToken: _sync, ...rest } = page
  return { ...rest, nextPageToken: seal(life, listOf(path), { query: query.toString() }), items: [] }
}

/** What a request for a page asks: after an empty one, what that was asked for. */
export function askedFor(path: string, query: URLSearchParams): URLSearchParams {
  const token = query.get('pageToken')
  const known = token === null ? undefined : unseal<{ query: string }>(token, listOf(path), { query: isText })
  return known ? new URLSearchParams(known.query) : query
}
