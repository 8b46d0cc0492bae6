import { quoteForShell } from './output.ts'

/** The addresses and accounts of a started server, as `--json` prints them. */
export type Started = {
  /** The server's address as `listen()` returns it: an origin without a final slash. */
  url: string
  /** The root URL for clients, with a final slash: that of the world `default`, or else of the first world. */
  rootUrl: string
  /** The base URL of the service, as in its discovery document. */
  baseUrl: string
  host: string
  port: number
  /** The addresses of the accounts of that world. */
  accounts: string[]
  /** The address of the inspector, with the control token, if any, in its fragment. */
  ui: string
}

/** Formats the addresses, the accounts, and a request to copy. `token` is a valid access token; undefined if there is none. */
export function formatGreeting({ rootUrl, baseUrl, accounts, ui }: Started, token: string | undefined): string {
  const tryThis =
    token === undefined
      ? `curl -s ${quoteForShell(`${rootUrl}_control/health`)}\n             (strict, and no seed names a token: every call of the service answers 401)`
      : `curl -s -H ${quoteForShell(`Authorization: Bearer ${token}`)} ${quoteForShell(`${baseUrl}/users/me/calendarList`)}`
  return `fake-calendar is listening

  Base URL   ${baseUrl}
  Accounts   ${accounts.join('\n             ') || '(none yet)'}
  Try        ${tryThis}
  Inspector  ${ui}

`
}
