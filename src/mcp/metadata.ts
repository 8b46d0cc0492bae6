import { isLoopback } from '../schema/values/loopback.ts'
import { isToolName, type ToolName } from './definitions/toolNames.ts'
import type { McpOptions } from './host.ts'

/** The paths of the server: the second is for hosts without forms (behaviour 17.10). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

const BASE = 'https://www.googleapis.com/auth/calendar.'
const LIST_SCOPE = `${BASE}calendarlist.readonly`
const EVENTS_SCOPE = `${BASE}events`
const EVENTS_READ_SCOPE = `${BASE}events.readonly`
const FREE_BUSY_SCOPE = `${BASE}events.freebusy`

/** The scopes with which all tools work (behaviour 17.9). */
const ALL_SCOPES = [LIST_SCOPE, EVENTS_SCOPE]

/** The smallest scope that each tool needs. */
const SCOPES: Readonly<Record<ToolName, string>> = {
  list_events: EVENTS_READ_SCOPE,
  get_event: EVENTS_READ_SCOPE,
  list_calendars: LIST_SCOPE,
  suggest_time: FREE_BUSY_SCOPE,
  create_event: EVENTS_SCOPE,
  update_event: EVENTS_SCOPE,
  delete_event: EVENTS_SCOPE,
  respond_to_event: EVENTS_SCOPE,
  search_events: EVENTS_READ_SCOPE,
}

/**
 * Returns the scopes to request for a tool: those of all tools, so that a client which signs in once can go on; with
 * `toolScopes` the one of the tool.
 */
const scopesOf = (tool: ToolName, { toolScopes = false }: McpOptions): readonly string[] =>
  toolScopes ? [SCOPES[tool]] : ALL_SCOPES

/** The scopes that a tool accepts beyond those of a REST method that it calls (behaviour 17.9). */
export const EXTRA_SCOPES: Readonly<Record<string, readonly string[]>> = { 'freebusy.query': [EVENTS_SCOPE] }

const HOST = 'calendarmcp.googleapis.com'
const isService = (url: string): boolean => new URL(url).hostname === HOST

/**
 * Returns true if a page of an origin may not call the server at `rootUrl`: one that is neither of this machine nor of the
 * server's public URL (behaviour 17.1). Otherwise any page that the user opens could drive the server.
 */
export function isForeignOrigin(origin: string, rootUrl: string, publicUrl: string | undefined): boolean {
  if (isService(rootUrl)) return false
  const page = URL.canParse(origin) ? new URL(origin) : undefined
  return !page || (!isLoopback(page.hostname) && (publicUrl === undefined || page.origin !== new URL(publicUrl).origin))
}

/**
 * Returns the protected-resource metadata (RFC 9728) of the server (`mcp/v1`) or of one tool; undefined for any other name.
 * At the service's own host it names Google's authorization server, elsewhere the fake itself.
 */
export function findMetadata(name: string, rootUrl: string, options: McpOptions): object | undefined {
  const scopes = name === 'mcp/v1' ? ALL_SCOPES : isToolName(name) ? scopesOf(name, options) : undefined
  if (!scopes) return undefined
  return {
    resource: `${rootUrl}mcp/v1`,
    authorization_servers: [isService(rootUrl) ? 'https://accounts.google.com/' : rootUrl.replace(/\/$/, '')],
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
  }
}

/** Returns the header `WWW-Authenticate` of a tool call that is rejected (behaviour 17.8). */
export function formatChallenge(
  tool: ToolName,
  rootUrl: string,
  options: McpOptions,
  problem?: 'invalid_token' | 'insufficient_scope',
): string {
  const metadata = `${rootUrl.replace(/\/$/, '')}${METADATA_PATH}/${tool}`
  const parts = [
    'realm="https://accounts.google.com/"',
    ...(problem ? [`error="${problem}"`] : []),
    ...(problem === 'insufficient_scope' ? [`scope="${scopesOf(tool, options).join(' ')}"`] : []),
    `resource_metadata="${metadata}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}
