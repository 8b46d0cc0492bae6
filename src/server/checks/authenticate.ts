import { identify } from '../../oauth/credentials.ts'
import type { RequestContext } from '../requestContext.ts'

/** Identifies the caller. Throws 401 for missing, unknown, expired and revoked tokens. */
export function authenticate(context: RequestContext): void {
  const { data, token, query, endpoint, registry } = context
  const presented = { token, apiKey: query.get('key'), isPublic: endpoint?.public === true }
  const credentials = identify(data, presented, registry.options.auth)
  context.credentials = credentials
  context.caller = credentials.caller
}
