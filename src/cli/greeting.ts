/** What a server that has just started can say of itself. */
export type Started = {
  /** The server's address, as `listen()` returns it: an origin, without a slash at its end. */
  url: string
  /** What clients call their root URL: the same with the slash, and where there is no world `default`, the first one's. */
  rootUrl: string
  /** Where the service begins, as a discovery document says it. */
  baseUrl: string
  host: string
  port: number
  accounts: string[]
  /** Where the inspector is, with the control token in its fragment where there is one. */
  ui: string
}

/** For people: where it is, who is there, and a request that works when pasted. `token` is none where no token would do. */
export function greeting({ rootUrl, baseUrl, accounts, ui }: Started, token: string | undefined): string {
  const tryThis =
    token === undefined
      ? `curl -s ${quoted(`${rootUrl}_control/health`)}\n           (strict, and no seed names a token: every call of the service answers 401)`
      : `curl -s -H ${quoted(`Authorization: Bearer ${token}`)} ${quoted(`${baseUrl}/users/me/calendarList`)}`
  return `fake-calendar is listening

  Base URL  ${baseUrl}
  Accounts  ${accounts.join('\n            ') || '(none yet)'}
  Try       ${tryThis}
  Look      ${ui}

`
}

/** Safe between single quotes in a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
