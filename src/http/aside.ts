import { verbOf } from '../api/endpoint.ts'

/**
 * Marks what the inspector reads of the service, as `1`, or as `journal` where the journal is to tell of it: nothing follows
 * from such a read. It takes what `/_control` takes. On a write it only marks the request in the journal.
 */
export const INSPECTOR = 'X-Fake-Calendar-Inspector'

/** Whether a request only looks: it says so, and it reads. */
export const isLook = (request: Request, path: string): boolean =>
  request.headers.has(INSPECTOR) && (verbOf(request) === 'GET' || path.endsWith('/freeBusy'))

export const isNoted = ({ headers }: Request): boolean => headers.get(INSPECTOR) === 'journal'
