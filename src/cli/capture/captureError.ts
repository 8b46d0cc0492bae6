import { PermanentError } from './retryingFetch.ts'

/**
 * Thrown if no seed can be captured. The message is one line for the user. It is a PermanentError, so that a request that throws
 * it is not retried.
 */
export class CaptureError extends PermanentError {}
