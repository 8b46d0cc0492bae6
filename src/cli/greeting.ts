import { quoteForShell } from '../schema/values/shownText.ts'

export type Started = {
  url: string
  rootUrl: string
  baseUrl: string
  host: string
  port: number
  accounts: string[]
  ui: string
}

/** `token` is a valid access token, for a request to copy. */
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
