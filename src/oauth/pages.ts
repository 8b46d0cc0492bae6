/** The few pages that a person sees. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function page(title: string, body: string, status = 200): Response {
  const html = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 28em; margin: 4em auto; padding: 0 1em } button, input { font: inherit; margin: .2em 0 } label { display: block }</style>
<h1>${escaped(title)}</h1>
${body}
</html>
`
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    },
  })
}

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`

export type Choice = {
  client: string
  scopes: readonly string[]
  accounts: readonly string[]
  chosen: string
  form: string
}

/** Asks who it is and whether they agree. The form goes back to where it came from. */
export function consentPage({ client, scopes, accounts, chosen, form }: Choice): Response {
  const options = accounts.map(
    (email) =>
      `<label><input type="radio" name="account" value="${escaped(email)}"${email === chosen ? ' checked' : ''}> ${escaped(email)}</label>`,
  )
  return page(
    'Choose an account',
    `${paragraph(`${client} wants to:`)}
<ul>${scopes.map((scope) => `<li>${escaped(scope)}</li>`).join('')}</ul>
<form method="post">
<input type="hidden" name="form" value="${escaped(form)}">
${options.join('\n')}
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form>`,
  )
}

/** Asks for the code that a device shows. */
export const codePage = (): Response =>
  page(
    'Connect a device',
    '<form method="get"><label>Code <input name="user_code" autofocus></label><button>Next</button></form>',
  )

export const donePage = (said: string): Response => page('Connect a device', paragraph(said))

/** An answer that comes from no page of ours, or a second time. */
export const notOurForm = (): Response =>
  errorPage(
    403,
    'access_denied',
    'This form was answered before, has expired, or is not from this page: load it again.',
  )

/** What is wrong with a request whose client cannot be told, because its redirect URI is not known. */
export const errorPage = (status: number, error: string, said: string): Response =>
  page(`Error ${status}: ${error}`, paragraph(said), status)
