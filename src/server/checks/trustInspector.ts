import type { RequestContext } from '../requestContext.ts'

/** Prepares a read of the inspector: it must be trusted, meets no faults, and creates no world. An untrusted one enters no world. */
export async function trustInspector(context: RequestContext): Promise<void> {
  // Loaded on first use, because it needs node:crypto.
  const { requireTrusted } = await import('./requireTrusted.ts')
  requireTrusted(context)
  context.isInspectorRead = true
  context.createsWorld = false
}
