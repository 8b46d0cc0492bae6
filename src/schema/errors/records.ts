import type { ApiErrorRow } from './row.ts'

export const RECORDS = {
  notFound: { code: 404, reason: 'notFound', message: 'Not Found' },
  duplicate: { code: 409, reason: 'duplicate', message: 'The requested identifier already exists.' },
  deleted: { code: 410, reason: 'deleted', message: 'Resource has been deleted' },
  staleEtag: { code: 412, reason: 'conditionNotMet', message: 'Precondition Failed', location: 'If-Match' },
  invalidId: { code: 400, reason: 'invalid', message: 'Invalid resource id value.' },
} as const satisfies Record<string, ApiErrorRow>
