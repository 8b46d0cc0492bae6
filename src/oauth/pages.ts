import { createHash } from 'node:crypto'
import type { Relay } from './relay.ts'
import { sentenceOf } from './scopeDescriptions.ts'

/** The few pages that a person sees. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 28em; margin: 4em auto; padding: 0 1em }
button, input { font: inherit; margin: .2em 0 } label { display: block } small { color: #555 } fieldset { border: 0; padding: 0; margin: 1em 0 }`

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

type Page = { title: string; body: string; status?: number; script?: string }

/** A page runs no script but the one that it is made with, loads nothing, and stands in no other page. */
function page({ title, body, status = 200, script }: Page): Response {
  const html = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<h1>${escaped(title)}</h1>
${body}
${script ? `<script>${script}</script>\n` : ''}</html>
`
  const policy = {
    'default-src': "'none'",
    'style-src': hash(STYLE),
    ...(script && { 'script-src': hash(script) }),
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

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`

export type Choice = {
  client: string
  scopes: readonly string[]
  people: readonly { email: string; displayName?: string | undefined }[]
  chosen: string
  form: string
  /** Whether somebody may be named who has no account yet. */
  mayAdd: boolean
  /** What was wrong with the answer before. */
  problem?: string | undefined
}

/** The value of the choice of an account that is typed in. */
export const OTHER = 'other'

/** Asks who it is and whether they agree. The form goes back to where it came from. */
export function consentPage({ client, scopes, people, chosen, form, mayAdd, problem }: Choice): Response {
  const option = (value: string, said: string) =>
    `<label><input type="radio" name="account" value="${escaped(value)}"${value === chosen ? ' checked' : ''}> ${said}</label>`
  const options = people.map(({ email, displayName }) =>
    option(email, displayName ? `${escaped(displayName)} <small>${escaped(email)}</small>` : escaped(email)),
  )
  const another = `${option(OTHER, 'Another account')}
<label>Email <input name="email" type="email" autocomplete="off"></label>
<label>Name <input name="name" autocomplete="off"></label>`
  return page({
    title: 'Choose an account',
    body: `${problem ? `<p role="alert">${escaped(problem)}</p>\n` : ''}${paragraph(`${client} wants to:`)}
<ul>${scopes.map((scope) => `<li title="${escaped(scope)}">${escaped(sentenceOf(scope))}</li>`).join('')}</ul>
<form method="post" novalidate>
<input type="hidden" name="form" value="${escaped(form)}">
<fieldset><legend>Go on as</legend>
${options.join('\n')}
${mayAdd ? another : ''}
</fieldset>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form>`,
  })
}

/** Hands the answer to the page that waits for it, and to a page of its origin alone. */
const HAND_OVER = `const { origin, said } = document.getElementById('said').dataset
if (opener) opener.postMessage(JSON.parse(said), origin)
close()`

export function relayPage({ origin, id }: Relay, answer: Readonly<Record<string, string>>): Response {
  const said = escaped(JSON.stringify({ id, answer }))
  return page({
    title: 'Done',
    body: `<p id="said" data-origin="${escaped(origin)}" data-said="${said}">You may close this window.</p>`,
    script: HAND_OVER,
  })
}

/** Asks for the code that a device shows. */
export const codePage = (): Response =>
  page({
    title: 'Connect a device',
    body: '<form method="get"><label>Code <input name="user_code" autofocus></label><button>Next</button></form>',
  })

export const donePage = (said: string): Response => page({ title: 'Connect a device', body: paragraph(said) })

/** An answer that comes from no page of ours, or a second time. */
export const expiredFormPage = (): Response =>
  errorPage(
    403,
    'access_denied',
    'This form was answered before, has expired, or is not from this page: load it again.',
  )

/** What is wrong with a request whose client cannot be told, because its redirect URI is not known. */
export const errorPage = (status: number, error: string, said: string): Response =>
  page({ title: `Error ${status}: ${error}`, body: paragraph(said), status })
