type ErrorDetails = {
  /** The HTTP status; 0 if there was no response. */
  status: number
  /** The service's name of the error, such as `notFound`. */
  reason?: string | undefined
  /** The text of the header `X-Fake-Calendar-Hint`. */
  hint?: string | undefined
  /** The parameter or field that the service names, such as `start` or `timeMin`. */
  location?: string | undefined
}

/** The error of a failed request. Its message is that of the server, and is shown to the user. */
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

const UNREACHABLE = 'The server does not respond'

/** Returns true for the error of a request without a response. The page has one banner for all of them. */
export const isUnreachable = ({ status, message }: RequestError): boolean => status === 0 && message === UNREACHABLE

/** The fields of an error body in the formats of the API, of OAuth and of `/_control`. */
type ErrorBody = {
  error?: string | { message?: string; errors?: { reason?: string; location?: string }[] }
  error_description?: string
  message?: string
}

/** Resolves to the error of a response that is not ok. If the body has no message, the message is the status line. */
export async function readError(response: Response): Promise<RequestError> {
  const { error, error_description, message } = parseErrorBody(await response.text())
  const text = typeof error === 'object' ? error.message : (error_description ?? error ?? message)
  const first = typeof error === 'object' ? error.errors?.[0] : undefined
  return new RequestError(text || `${response.status} ${response.statusText}`, {
    status: response.status,
    reason: first?.reason ?? (typeof error === 'string' ? error : undefined),
    hint: response.headers.get('X-Fake-Calendar-Hint') ?? undefined,
    location: first?.location,
  })
}

/** Parses the body of an error response. A body that is not JSON has no fields. */
function parseErrorBody(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody
  } catch {
    return {}
  }
}

/**
 * Converts a thrown value to a RequestError. A failure of `fetch` becomes "The server does not respond"; other errors keep
 * their message.
 */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  // Each browser has its own message for a server that does not respond.
  const message = error instanceof TypeError ? UNREACHABLE : String((error as Error)?.message ?? error)
  return new RequestError(message, { status: 0 })
}
