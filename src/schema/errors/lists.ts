import type { ApiErrorRow } from './row.ts'

/** `location` is the parameter that caused the error; `{location}` is its name, if several can. */
export const LISTS = {
  timeRangeEmpty: {
    code: 400,
    domain: 'calendar',
    reason: 'timeRangeEmpty',
    message: 'The specified time range is empty.',
    location: 'timeMax',
  },
  orderingNotAvailable: {
    code: 400,
    reason: 'invalid',
    message: 'The requested ordering is not available for the particular query.',
    location: 'orderBy',
  },
  invalidPageToken: { code: 400, reason: 'invalid', message: 'Invalid page token value.', location: 'pageToken' },
  invalidSyncToken: { code: 400, reason: 'invalid', message: 'Invalid sync token value.', location: 'syncToken' },
  syncTokenWith: {
    code: 400,
    reason: 'invalid',
    message: 'Sync token cannot be used with {location}.',
    location: '{location}',
  },
  syncTokenWithNonDefaultOrdering: {
    code: 400,
    domain: 'calendar',
    reason: 'syncTokenWithNonDefaultOrdering',
    message: 'Sync token cannot be used with non-default ordering.',
    location: 'orderBy',
  },
  pageTokenWith: {
    code: 400,
    reason: 'invalid',
    message: 'Page token cannot be used with another {location} than that of the first page.',
    location: '{location}',
  },
  fullSyncRequired: {
    code: 410,
    domain: 'calendar',
    reason: 'fullSyncRequired',
    message: 'Sync token is no longer valid, a full sync is required.',
    location: 'syncToken',
  },
  updatedMinTooLongAgo: {
    code: 410,
    domain: 'calendar',
    reason: 'updatedMinTooLongAgo',
    message: 'The requested minimum modification time lies too far in the past.',
    location: 'updatedMin',
  },
} as const satisfies Record<string, ApiErrorRow>
