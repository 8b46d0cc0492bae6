import { PermanentError } from '../conform/retryingFetch.ts'

/** Ends a capture without a seed. The message is one line for the person at the terminal. */
export class CaptureError extends PermanentError {}
