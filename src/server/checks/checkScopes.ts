import { refuse } from '../../wire/refusals.ts'
import { sightOf } from '../../wire/scopes.ts'
import type { RequestContext } from '../requestContext.ts'

/** Throws 403 if the token has none of the scopes of the endpoint. A narrow scope limits what the caller sees. */
export function checkScopes(context: RequestContext): void {
  const { credentials, endpoint } = context
  if (!credentials || !endpoint) return
  const { caller, client, scopes } = credentials
  if (scopes && !endpoint.scopes.some((scope) => scopes.includes(scope))) refuse('insufficientScope')
  const sight = scopes && sightOf(endpoint.scopes, scopes)
  context.caller = sight ? { ...caller, sight } : caller
  context.account = caller.email
  context.client = client
}
