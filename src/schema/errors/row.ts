/**
 * An error of the API, word for word (behaviour 2.2). Its key in a table is the name that the code and faults use, because
 * the service reuses reasons: `required` is a 400 with several messages, and a 401.
 *
 * `{name}` in a text is a placeholder. `fillMessage` replaces it by the detail of that name, which the code that throws the
 * error passes to `apiError`; a missing detail becomes the empty text.
 */
export type ApiErrorRow = {
  /** The HTTP status of the response. */
  code: number
  /** The domain of the item; `global` by default. */
  domain?: string
  reason: string
  /** The message of the item. It has placeholders. */
  message: string
  /** The place of the error: a header if it begins with a capital letter, else a parameter. It has placeholders. */
  location?: string
  /** The header `WWW-Authenticate`. `{scopes}` is the only placeholder: the accepted scopes, separated by spaces. */
  challenge?: string
  /** A link to more information, the last field of the item (behaviour 8.10). It has placeholders. */
  extendedHelp?: string
  /**
   * Present for errors of the API front end, which checks requests before the calendar backend. Their envelope also has a
   * `status` (behaviour 2.1.2).
   */
  frontEnd?: {
    /** A code of `google.rpc.Code`, such as `INVALID_ARGUMENT`. */
    status: string
    /** The message of the envelope, if it differs from that of the item. It has no placeholders. */
    message?: string
    /** The reason of the `ErrorInfo` in `details`. Without it, the envelope has no details. */
    errorInfo?: string
    /** The project that the `ErrorInfo` names instead of the method. It has placeholders. */
    consumer?: string
    /** A link in `details`, before the `ErrorInfo`. `url` has placeholders. */
    help?: { description: string; url: string }
  }
  /** The error code of RFC 6749. With it, the envelope has only this code and the message, as the OAuth endpoints answer. */
  oauth?: string
}
