/** A request that was refused, in the words of who refused it. */
export class Refused extends Error {
  readonly status: number
  readonly reason: string | undefined
  /** What would have helped, where the server says it. */
  readonly hint: string | undefined

  constructor(
    message: string,
    { status, reason, hint }: { status: number; reason?: string | undefined; hint?: string | undefined },
  ) {
    super(message)
    this.status = status
    this.reason = reason
    this.hint = hint
  }
}

type Envelope = {
  error?: string | { message?: string; errors?: { reason?: string }[] }
  error_description?: string
  message?: string
}

export async function refusedBy(response: Response): Promise<Refused> {
  const text = await response.text()
  const { error, error_description, message } = dataOf(text)
  const said = typeof error === 'object' ? error.message : (error_description ?? error ?? message)
  const reason = typeof error === 'object' ? error.errors?.[0]?.reason : error
  const hint = response.headers.get('X-Fake-Calendar-Hint') ?? undefined
  return new Refused(said || `${response.status} ${response.statusText}`, { status: response.status, reason, hint })
}

function dataOf(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return {}
  }
}

/** What went wrong, to be shown. */
export function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error
  // What fetch throws where nobody answers says that in the words of each browser.
  const message = error instanceof TypeError ? 'The server does not answer' : String((error as Error)?.message ?? error)
  return new Refused(message, { status: 0 })
}
