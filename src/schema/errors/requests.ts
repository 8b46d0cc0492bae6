import type { ApiErrorRow } from './row.ts'

/**
 * Errors of requests that cannot be parsed, or that exceed a limit: parameters, bodies, field masks and batches.
 *
 * The texts in braces are placeholders (see `ApiErrorRow`): `{location}` is the name of a parameter, `{value}` its value as
 * it was sent, `{field}` a path in a body such as `attachments[0].fileUrl`, and `{problem}` a phrase. `frontEnd` marks
 * errors of the API front end, which have another envelope.
 */
export const REQUESTS = {
  /** A time is not an RFC 3339 timestamp, or a date does not exist. */
  badTimestamp: { code: 400, reason: 'badRequest', message: 'Bad Request' },
  /** The body is not JSON. */
  parseError: { code: 400, reason: 'parseError', message: 'Parse Error' },
  formEncodedBody: {
    code: 400,
    reason: 'parseError',
    message: 'This API does not support parsing form-encoded input.',
  },
  /** A field of a body has a value that the service does not accept. */
  invalidValue: { code: 400, reason: 'invalid', message: 'Invalid value for: {field}: {problem}' },
  /** A field of a body has a value of another type, or is none of its listed values (behaviour 2.2.1). */
  wrongKind: { code: 400, reason: 'invalid', message: 'Invalid value' },
  /** A parameter has a value that the method does not accept, such as an unknown time zone. */
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
  /** An integer is below `{least}` or above `{most}`. */
  outOfRange: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid value '{value}'. Values must be within the range: [{least}, {most}]",
    location: '{location}',
  },
  /** A parameter is none of its listed values; `{allowed}` lists them, separated by commas. */
  notAllowed: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid string value: '{value}'. Allowed values: [{allowed}]",
    location: '{location}',
  },
  /** A parameter has more than `{most}` characters. */
  parameterTooLong: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid value '{value}'. Values must have at most {most} characters.",
    location: '{location}',
  },
  /** The field mask, the parameter `fields`, is invalid at `{field}`. */
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
  /** A required field of a body is missing or empty. */
  missingField: { code: 400, reason: 'required', message: 'Missing {field}.' },
  bodyTooLarge: { code: 413, reason: 'requestTooLarge', message: 'Request body is larger than 10 MB.' },
  /** The body of a batch is not `multipart/mixed`, or one of its parts is no request. */
  badBatch: {
    code: 400,
    reason: 'badRequest',
    message: 'Failed to parse batch request: {problem}.',
    frontEnd: { status: 'INVALID_ARGUMENT' },
  },
  /** The response of a part that is not carried out, because the responses before it fill the batch (behaviour 14). */
  batchResponseTooLong: {
    code: 403,
    reason: 'responseTooLarge',
    message: 'The response of this batch is full, so this part was not carried out. Send it in another batch.',
  },
} as const satisfies Record<string, ApiErrorRow>
