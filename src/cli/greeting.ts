/** What a server that has just started can say of itself. */
export type Started = {
  /** Where the service begins. */
  url: string
  /** What clients call their root URL: the origin alone. */
  rootUrl: string
  host: string
  port: number
  accounts: string[]
}

/** For people: where it is, who is there, and a request that works when pasted. `token` is none where no token would do. */
export function greeting({ url, rootUrl, accounts }: Started, token: string | undefined): string {
  const tryThis =
    token === undefined
      ? `curl -s ${quoted(`${rootUrl}_control/health`)}\n           (strict, and no seed names a token: every call of the service answers 401)`
      : `curl -s -H ${quoted(`Authorization: Bearer ${token}`)} ${quoted(`${url}/users/me/calendarList`)}`
  return `fake-calendar is listening

  Base URL  ${url}
  Accounts  ${accounts.join('\n            ') || '(none yet)'}
  Try       ${tryThis}

`
}

/** Safe between single quotes in a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
