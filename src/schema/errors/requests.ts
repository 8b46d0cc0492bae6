import type { ApiErrorRow } from './row.ts'

/** Errors of the form of a request. */
export const REQUESTS = {
  badTimestamp: { code: 400, reason: 'badRequest', message: 'Bad Request' },
  parseError: { code: 400, reason: 'parseError', message: 'Parse Error' },
  formEncodedBody: {
    code: 400,
    reason: 'parseError',
    message: 'This API does not support parsing form-encoded input.',
  },
  invalidValue: { code: 400, reason: 'invalid', message: 'Invalid value for: {field}: {problem}' },
  invalidQuery: { code: 400, reason: 'invalid', message: 'Invalid value for: {location}', location: '{location}' },
  invalidBoolean: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid boolean value: '{value}'.",
    location: '{location}',
  },
  invalidInteger: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid integer value: '{value}'.",
    location: '{location}',
  },
  outOfRange: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid value '{value}'. Values must be within the range: [{least}, {most}]",
    location: '{location}',
  },
  notAllowed: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid string value: '{value}'. Allowed values: [{allowed}]",
    location: '{location}',
  },
  tooLong: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid value '{value}'. Values must have at most {most} characters.",
    location: '{location}',
  },
  invalidField: {
    code: 400,
    reason: 'invalidParameter',
    message: 'Invalid field selection {field}',
    location: 'fields',
  },
  missingParameter: {
    code: 400,
    reason: 'required',
    message: 'Required parameter: {location}',
    location: '{location}',
  },
  tooLarge: { code: 400, reason: 'invalid', message: 'A provided value exceeds the allowed size limit.' },
  missingTitle: { code: 400, reason: 'required', message: 'Required' },
  missingField: { code: 400, reason: 'required', message: 'Missing {field}.' },
  bodyTooLarge: { code: 413, reason: 'requestTooLarge', message: 'Request body is larger than 10 MB.' },
  badBatch: {
    code: 400,
    reason: 'badRequest',
    message: 'Failed to parse batch request: {problem}.',
    frontEnd: { status: 'INVALID_ARGUMENT' },
  },
  batchTooLong: {
    code: 403,
    reason: 'responseTooLarge',
    message: 'The reply to this batch is too long to hold another part. Send what is left of it in a batch of its own.',
  },
} as const satisfies Record<string, ApiErrorRow>
