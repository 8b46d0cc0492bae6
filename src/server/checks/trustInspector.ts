import type { RequestContext } from '../requestContext.ts'
import { requireTrusted } from './requireTrusted.ts'

/** Prepares a read of the inspector: it must be trusted, meets no faults, and creates no world. An untrusted one enters no world. */
export function trustInspector(context: RequestContext): void {
  requireTrusted(context)
  context.isInspectorRead = true
  context.createsWorld = false
}
