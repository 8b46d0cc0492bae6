import type { RequestContext } from './requestContext.ts'
import { overriddenVerb } from './routes.ts'

/**
 * The header of the inspector's reads: `1`, or `journal` if the journal is to record them. Such a read changes nothing. It
 * needs the same trust as `/_control`, and the header has no effect on writes.
 */
export const INSPECTOR = 'X-Fake-Calendar-Inspector'

/** Returns true if a request has the inspector's header and only reads. */
export const isInspectorRead = ({ request, path }: RequestContext): boolean =>
  request.headers.has(INSPECTOR) && (overriddenVerb(request) === 'GET' || path.endsWith('/freeBusy'))

/** Returns true if the journal is to record an inspector's read. */
export const isJournaledRead = ({ request: { headers } }: RequestContext): boolean =>
  headers.get(INSPECTOR) === 'journal'
