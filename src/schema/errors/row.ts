/**
 * An error, word for word (behaviour 2.2). Code and faults use its key, because the service reuses reasons:
 * `required` is a 400 with several messages, and a 401. `fillMessage` replaces `{name}` in a text by the detail that
 * is passed to `apiError`; a missing detail becomes the empty text.
 */
export type ApiErrorRow = {
  code: number
  /** `global` by default. */
  domain?: string
  reason: string
  message: string
  /** A header if it begins with a capital letter, else a parameter. It has placeholders. */
  location?: string
  /** The header `WWW-Authenticate`. Its only placeholder is `{scopes}`: the accepted scopes, separated by spaces. */
  challenge?: string
  /** The last field of the item (behaviour 8.10). It has placeholders. */
  extendedHelp?: string
  /**
   * Errors of the API front end, which checks requests before the calendar backend. Their envelope also has a
   * `status` (behaviour 2.1.2).
   */
  frontEnd?: {
    /** A code of `google.rpc.Code`. */
    status: string
    /** If it differs from that of the item. It has no placeholders. */
    message?: string
    /** The reason of the `ErrorInfo` in `details`. Without it, the envelope has no details. */
    errorInfo?: string
    /** The project that the `ErrorInfo` names instead of the method. It has placeholders. */
    consumer?: string
    /** The entry of `details` before the `ErrorInfo`. `url` has placeholders. */
    help?: { description: string; url: string }
  }
  /** The code of RFC 6749. With it, the envelope has only this code and the message; the reason is not sent. */
  oauth?: string
}

type Rest<Shared> = Omit<ApiErrorRow, 'reason' | keyof Shared> & Partial<ApiErrorRow>
type Completed<Shared, Row, Name> = Row & Omit<Shared & { readonly reason: Name }, keyof Row>

/** Errors with common fields, which a row can replace. Without a reason in either, the reason of an error is its name. */
export function errorsWith<const Shared extends Partial<ApiErrorRow>, const Rows extends Record<string, Rest<Shared>>>(
  shared: Shared,
  rows: Rows,
) {
  const complete = ([name, row]: [string, object]) => [name, { reason: name, ...shared, ...row }]
  return Object.fromEntries(Object.entries(rows).map(complete)) as {
    readonly [Name in keyof Rows]: Completed<Shared, Rows[Name], Shared extends { reason: infer R } ? R : Name>
  }
}
