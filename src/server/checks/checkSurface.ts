import { unknownIn } from '../../control/hints/hints.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { RequestContext } from '../requestContext.ts'

/** With the option `strictSurface`, throws 400 for parameters and fields that the service would ignore. */
export function checkSurface(context: RequestContext): void {
  if (!context.registry.options.strictSurface || !context.endpoint) return
  const [first] = unknownIn(context.endpoint, context)
  if (first) throw apiError('unknownInput', { what: first.what, instead: first.instead })
}
