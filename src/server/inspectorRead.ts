import { requireTrusted } from './checks/requireTrusted.ts'
import type { RequestContext } from './requestContext.ts'
import { overriddenVerb } from './urls.ts'

/**
 * The header of the inspector's reads: `1`, or `journal` if the journal is to record them. Such a read changes nothing. It
 * needs the same trust as `/_control`. The header of a write only marks it in the journal.
 */
export const INSPECTOR = 'X-Fake-Calendar-Inspector'

/** Returns true if a request has the inspector's header. */
export const isFromInspector = ({ request }: RequestContext): boolean => request.headers.has(INSPECTOR)

/** Returns true if a request has the inspector's header and only reads. */
export const isInspectorRead = ({ request, path }: RequestContext): boolean =>
  request.headers.has(INSPECTOR) && (overriddenVerb(request) === 'GET' || path.endsWith('/freeBusy'))

/** Returns true if the journal is to record an inspector's read. */
export const isJournaledRead = ({ request: { headers } }: RequestContext): boolean =>
  headers.get(INSPECTOR) === 'journal'

/** Prepares a read of the inspector: it must be trusted, meets no faults, and creates no world. An untrusted one enters no world. */
export function trustInspector(context: RequestContext): void {
  requireTrusted(context)
  context.isInspectorRead = true
  context.createsWorld = false
}
