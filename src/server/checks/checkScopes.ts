import { apiError } from '../../schema/apiErrors.ts'
import { scopeView } from '../../schema/scopes.ts'
import type { RequestContext } from '../requestContext.ts'

/** Throws 403 if the token has none of the scopes of the endpoint. A narrow scope limits what the caller sees. */
export function checkScopes(context: RequestContext): void {
  const { credentials, endpoint } = context
  if (!credentials || !endpoint) return
  const { caller, client, scopes } = credentials
  if (scopes && !endpoint.scopes.some((scope) => scopes.includes(scope))) throw apiError('insufficientScope')
  const view = scopes && scopeView(endpoint.scopes, scopes)
  context.caller = view ? { ...caller, scopeView: view } : caller
  context.account = caller.email
  context.client = client
}
