import type { ApiErrorRow } from './row.ts'

/** Errors of one record: it is missing, deleted or changed, or its id is in use or invalid. */
export const RECORDS = {
  notFound: { code: 404, reason: 'notFound', message: 'Not Found' },
  duplicate: { code: 409, reason: 'duplicate', message: 'The requested identifier already exists.' },
  deleted: { code: 410, reason: 'deleted', message: 'Resource has been deleted' },
  /** The etag in `If-Match` is not that of the stored record. */
  staleEtag: { code: 412, reason: 'conditionNotMet', message: 'Precondition Failed', location: 'If-Match' },
  invalidId: { code: 400, reason: 'invalid', message: 'Invalid resource id value.' },
} as const satisfies Record<string, ApiErrorRow>
