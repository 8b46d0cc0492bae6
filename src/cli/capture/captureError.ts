import { PermanentError } from './retryingFetch.ts'

/** The message is one line for the user. A PermanentError, so that a request that throws it is not retried. */
export class CaptureError extends PermanentError {}
