/** Why a capture ends without a seed, in one line for whoever asked for it. */
export class CaptureError extends Error {}
