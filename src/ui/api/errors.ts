type ErrorDetails = {
  status: number
  reason?: string | undefined
  hint?: string | undefined
  /** The parameter or field that the service names, such as `start` or `timeMin`. */
  location?: string | undefined
}

/** A request that failed, with the message of the server. A `status` of 0 means that there was no response. */
export class RequestError extends Error {
  readonly status: number
  readonly reason: string | undefined
  readonly hint: string | undefined
  readonly location: string | undefined

  constructor(message: string, { status, reason, hint, location }: ErrorDetails) {
    super(message)
    this.status = status
    this.reason = reason
    this.hint = hint
    this.location = location
  }
}

type ErrorBody = {
  error?: string | { message?: string; errors?: { reason?: string; location?: string }[] }
  error_description?: string
  message?: string
}

/** Returns the error of a failed response. Understands the formats of the API, of OAuth and of `/_control`. */
export async function readError(response: Response): Promise<RequestError> {
  const { error, error_description, message } = parseBody(await response.text())
  const text = typeof error === 'object' ? error.message : (error_description ?? error ?? message)
  const first = typeof error === 'object' ? error.errors?.[0] : undefined
  return new RequestError(text || `${response.status} ${response.statusText}`, {
    status: response.status,
    reason: first?.reason ?? (typeof error === 'string' ? error : undefined),
    hint: response.headers.get('X-Fake-Calendar-Hint') ?? undefined,
    location: first?.location,
  })
}

function parseBody(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody
  } catch {
    return {}
  }
}

/** Returns a thrown value as a RequestError. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  // Each browser has its own message for a server that does not respond.
  const message =
    error instanceof TypeError ? 'The server does not respond' : String((error as Error)?.message ?? error)
  return new RequestError(message, { status: 0 })
}
