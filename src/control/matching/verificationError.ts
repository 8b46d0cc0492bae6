/** Thrown by a verification that fails. The message lists the differences, one per line. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError'
}
