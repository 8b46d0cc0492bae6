type ErrorDetails = {
  /** 0 if there was no response. */
  status: number
  reason?: string | undefined
  hint?: string | undefined
  /** The id of the fault that fired on the request. */
  fault?: string | undefined
}

/** The message is that of the server. */
export class RequestError extends Error {
  readonly status: number
  readonly reason: string | undefined
  readonly hint: string | undefined
  readonly fault: string | undefined

  constructor(message: string, { status, reason, hint, fault }: ErrorDetails) {
    super(message)
    this.status = status
    this.reason = reason
    this.hint = hint
    this.fault = fault
  }
}

const UNREACHABLE = 'The server does not respond'

/** The page has one banner for all of them. */
export const isUnreachable = ({ status, message }: RequestError): boolean => status === 0 && message === UNREACHABLE

/** A body in the formats of the API, of OAuth and of `/_control`. */
type ErrorBody = {
  error?: string | { message?: string; errors?: { reason?: string }[] }
  error_description?: string
  message?: string
}

/** A body without a message gives the status line. */
export async function readError(response: Response): Promise<RequestError> {
  const { error, error_description, message } = parseErrorBody(await response.text())
  const text = typeof error === 'object' ? error.message : (error_description ?? error ?? message)
  const first = typeof error === 'object' ? error.errors?.[0] : undefined
  return new RequestError(text || `${response.status} ${response.statusText}`, {
    status: response.status,
    reason: first?.reason ?? (typeof error === 'string' ? error : undefined),
    hint: response.headers.get('X-Fake-Calendar-Hint') ?? undefined,
    fault: response.headers.get('X-Fake-Calendar-Fault') ?? undefined,
  })
}

function parseErrorBody(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody
  } catch {
    return {}
  }
}

export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  // Each browser has its own message for a server that does not respond.
  const message = error instanceof TypeError ? UNREACHABLE : String((error as Error)?.message ?? error)
  return new RequestError(message, { status: 0 })
}
