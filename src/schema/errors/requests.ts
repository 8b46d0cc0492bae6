import type { ApiErrorRow } from './row.ts'

/**
 * `{location}` is the name of a parameter, `{value}` its value as it was sent, `{field}` a path in a body such as
 * `attachments[0].fileUrl`, `{problem}` a phrase. `frontEnd` marks errors of the API front end, which have another envelope.
 */
export const REQUESTS = {
  /** A time is not an RFC 3339 timestamp, or a date does not exist. */
  badTimestamp: { code: 400, reason: 'badRequest', message: 'Bad Request' },
  parseError: { code: 400, reason: 'parseError', message: 'Parse Error' },
  formEncodedBody: {
    code: 400,
    reason: 'parseError',
    message: 'This API does not support parsing form-encoded input.',
  },
  invalidValue: { code: 400, reason: 'invalid', message: 'Invalid value for: {field}: {problem}' },
  /** A value of another type, or none of the listed values (behaviour 2.2.1). */
  wrongKind: { code: 400, reason: 'invalid', message: 'Invalid value' },
  /** Such as an unknown time zone. */
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
  parameterTooLong: {
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
  /** A text of a body, or its recurrence, is longer than its limit. */
  fieldTooLong: { code: 400, reason: 'invalid', message: 'A provided value exceeds the allowed size limit.' },
  missingField: { code: 400, reason: 'required', message: 'Missing {field}.' },
  bodyTooLarge: { code: 413, reason: 'requestTooLarge', message: 'Request body is larger than 10 MB.' },
  /** The body is not `multipart/mixed`, or one of its parts is no request. */
  badBatch: {
    code: 400,
    reason: 'badRequest',
    message: 'Failed to parse batch request: {problem}.',
    frontEnd: { status: 'INVALID_ARGUMENT' },
  },
  /** A part is not carried out, because the responses before it fill the batch (behaviour 14). */
  batchResponseTooLong: {
    code: 403,
    reason: 'responseTooLarge',
    message: 'The response of this batch is full, so this part was not carried out. Send it in another batch.',
  },
} as const satisfies Record<string, ApiErrorRow>
