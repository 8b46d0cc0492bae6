/**
 * An error of the API, word for word (behaviour 2.2). It has a name of its own, because the service reuses reasons:
 * `required` is a 400 with six messages and a 401.
 *
 * `domain` is `global` by default. `location` is a header if it begins with a capital, else a parameter. `frontEnd`
 * marks errors of the API front end, which have an envelope of their own (behaviour 2.1).
 */
export type ApiErrorRow = {
  code: number
  domain?: string
  reason: string
  message: string
  location?: string
  /** A link to more information, the last field of the item (behaviour 8.10). */
  extendedHelp?: string
  frontEnd?: {
    status: string
    message?: string
    errorInfo?: string
    challenge?: string
    /** The project that the ErrorInfo names. */
    consumer?: string
    help?: { description: string; url: string }
  }
  /** The error code of RFC 6749, for the envelope of the OAuth endpoints. */
  oauth?: string
}
