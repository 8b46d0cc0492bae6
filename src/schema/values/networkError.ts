/**
 * Returns the message of the cause of a failed `fetch`, because its own is always the same. The code of the cause counts if it
 * has no message, as for a failure to connect to several addresses.
 */
export function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message || ('code' in cause && String(cause.code)) || error.message
}
