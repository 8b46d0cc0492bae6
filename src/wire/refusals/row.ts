/**
 * Everything the service refuses with, word for word (behaviour 2.2). A refusal has a name of its own because the service
 * reuses reasons: `required` is a 400 with six messages and a 401.
 *
 * `domain` is `global` unless given. `location` names a header where it begins with a capital, else a parameter.
 * `frontEnd` marks the refusals that the API front end writes, in an envelope of its own (behaviour 2.1).
 */
export type Row = {
  code: number
  domain?: string
  reason: string
  message: string
  location?: string
  /** Where to read more, which the item names last (behaviour 8.10). */
  extendedHelp?: string
  frontEnd?: {
    status: string
    message?: string
    errorInfo?: string
    challenge?: string
    /** Whose project the ErrorInfo is about. */
    consumer?: string
    help?: { description: string; url: string }
  }
  /** The error of RFC 6749 that the OAuth endpoints answer with, in an envelope of theirs. */
  oauth?: string
}
