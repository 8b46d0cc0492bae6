import { createHash } from 'node:crypto'
import { SCOPES } from '../schema/scopes.ts'
import { shorten, shortenLine } from '../schema/values/shownText.ts'
import type { Relay } from './clients.ts'

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A name as a reader sees it. The value of a field is only escaped, because it is sent back. */
const formatName = (text: string): string => escapeHtml(shorten(text))

const STYLE = `:root { color-scheme: light dark; --line: light-dark(#dce0e6, #333b46); --muted: light-dark(#56606c, #a3adb9);
  --accent: light-dark(#1f57cc, #8fb4ff); --surface: light-dark(#ffffff, #171b21); --ink: light-dark(#1a1f26, #e6e9ee) }
* { box-sizing: border-box }
body { font: 14px/20px system-ui, "Segoe UI", "Liberation Sans", sans-serif; color: var(--ink);
  background: light-dark(#f6f7f9, #0f1216); margin: 0; padding: 24px 12px }
main { max-width: 28rem; margin: 0 auto; padding: 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px }
h1 { font-size: 18px; line-height: 24px; margin: 0 0 12px }
fieldset { border: 0; padding: 0; margin: 16px 0 }
legend { font-weight: 600; padding: 0; margin-bottom: 4px }
label { display: block; padding: 4px 0 }
small, label.field { color: var(--muted) }
label.field { padding-left: 24px }
input, button { font: inherit; color: inherit; background: var(--surface); border: 1px solid light-dark(#8a939e, #6b7684); border-radius: 6px }
input:not([type=radio]) { display: block; width: 100%; padding: 5px 8px; color: var(--ink) }
input[type=radio] { accent-color: var(--accent) }
button { padding: 5px 16px; min-height: 32px; cursor: pointer }
button[value=allow] { background: var(--accent); border-color: var(--accent); color: light-dark(#ffffff, #0b1530) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
[role=alert] { padding: 8px 12px; border-radius: 6px; background: light-dark(#fdecea, #40201d) }`

const toHashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** `title` is text, `body` is HTML whose texts are escaped. The default status is 200. */
type Page = { title: string; body: string; status?: number; script?: string }

function createPage({ title, body, status = 200, script }: Page): Response {
  const html = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
${script ? `<script>${script}</script>\n` : ''}</html>
`
  const policy = {
    'default-src': "'none'",
    'style-src': toHashSource(STYLE),
    ...(script && { 'script-src': toHashSource(script) }),
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  }
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
      'Content-Security-Policy': Object.entries(policy)
        .map(([what, from]) => `${what} ${from}`)
        .join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    },
  })
}

const formatParagraph = (text: string): string => `<p>${escapeHtml(shortenLine(text))}</p>`

/** All texts are escaped by the page. */
export type ConsentPageData = {
  client: string
  scopes: readonly string[]
  accounts: readonly { email: string; displayName?: string | undefined }[]
  chosen: string
  csrfToken: string
  mayAdd: boolean
  problem?: string | undefined
}

export const OTHER = 'other'

const AUTH = 'https://www.googleapis.com/auth/'

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SCOPES).map(([scope, { description }]): [string, string] => [scope, description]),
  ['openid', 'Know which account you are'],
  [`${AUTH}userinfo.email`, 'See your email address'],
  [`${AUTH}userinfo.profile`, 'See your name'],
])

/** A scope of another service is its own description. */
const describeScope = (scope: string): string => DESCRIPTIONS.get(scope) ?? scope

const SELECT_OTHER = `for (const field of document.querySelectorAll('.field input'))
  field.addEventListener('input', () => { document.querySelector('[value=${OTHER}]').checked = true })`

/**
 * Submitted to its own URL, with the fields `form` (the CSRF token), `account`, `email` and `name` (for `OTHER`), and
 * `decision` (`allow` or `deny`).
 */
export function consentPage({
  client,
  scopes,
  accounts,
  chosen,
  csrfToken,
  mayAdd,
  problem,
}: ConsentPageData): Response {
  const formatOption = (value: string, label: string) =>
    `<label><input type="radio" name="account" value="${escapeHtml(value)}"${value === chosen ? ' checked' : ''}> ${label}</label>`
  const options = accounts.map(({ email, displayName }) =>
    formatOption(
      email,
      displayName ? `${formatName(displayName)} <small>${formatName(email)}</small>` : formatName(email),
    ),
  )
  const otherAccount = `${formatOption(OTHER, 'Another account')}
<label class="field">Email <input name="email" type="email" autocomplete="off"></label>
<label class="field">Name <input name="name" autocomplete="off"></label>`
  return createPage({
    title: 'Choose an account',
    body: `${problem ? `<p role="alert">${escapeHtml(shortenLine(problem))}</p>\n` : ''}${formatParagraph(`${shorten(client)} wants to:`)}
<ul>${scopes.map((scope) => `<li title="${formatName(scope)}">${formatName(describeScope(scope))}</li>`).join('')}</ul>
<form method="post" novalidate>
<input type="hidden" name="form" value="${escapeHtml(csrfToken)}">
<fieldset><legend>Continue as</legend>
${options.join('\n')}
${mayAdd ? otherAccount : ''}
</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form>`,
    ...(mayAdd && { script: SELECT_OTHER }),
  })
}

const POST_RESULT = `const { origin, message } = document.getElementById('result').dataset
if (opener) opener.postMessage(JSON.parse(message), origin)
close()`

/** Sends `answer`, the parameters of a redirect, to the page that opened the popup, and closes. */
export function relayPage({ origin, id }: Relay, answer: Readonly<Record<string, string>>): Response {
  const message = escapeHtml(JSON.stringify({ id, answer }))
  return createPage({
    title: 'Done',
    body: `<p id="result" data-origin="${escapeHtml(origin)}" data-message="${message}">You may close this window.</p>`,
    script: POST_RESULT,
  })
}

/** The code is sent to the same path as `user_code` in the query. */
export const codePage = (): Response =>
  createPage({
    title: 'Connect a device',
    body: '<form method="get"><label>Code <input name="user_code" autofocus></label><button>Next</button></form>',
  })

export const donePage = (message: string): Response =>
  createPage({ title: 'Connect a device', body: formatParagraph(message) })

export const expiredFormPage = (): Response =>
  errorPage(
    403,
    'access_denied',
    'This form was submitted before, has expired, or is not from this page. Load the page again.',
  )

/**
 * The page for an error that cannot be sent to the client, because its redirect URI is unknown. `error` is the code
 * of RFC 6749, such as `invalid_request`.
 */
export const errorPage = (status: number, error: string, message: string): Response =>
  createPage({ title: `Error ${status}: ${error}`, body: formatParagraph(message), status })
