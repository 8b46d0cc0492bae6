import { spawn } from 'node:child_process'
import { classifyHost } from '../../interception/hosts.ts'
import { shortenLine } from '../../schema/values/shownText.ts'

// The program that `exec` names in BROWSER, with a URL as its argument. It exits with 1 if nothing was opened.

const MAX_REDIRECTS = 10

/**
 * Grants consent as the account FAKE_CALENDAR_CONSENT_AS, or the first one, and follows the redirect to the waiting program.
 * Passes other URLs to the browser that was set before (FAKE_CALENDAR_OTHER_BROWSER).
 */
async function openConsentPage([url = '']: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const fake = new URL(env.FAKE_CALENDAR_URL ?? '')
  const target = toFakeUrl(url, fake)
  if (!target) return openWithOtherBrowser(url, env.FAKE_CALENDAR_OTHER_BROWSER)
  const account = env.FAKE_CALENDAR_CONSENT_AS
  const isDevicePage = target.pathname.endsWith('/device')
  if (account) target.searchParams.set(isDevicePage ? 'account' : 'login_hint', account)
  const reply = await grantConsent(target)
  // The page of a device has no redirect: the device polls.
  if (!isDevicePage || !reply.ok) await followRedirects(reply, target)
}

function toFakeUrl(text: string, fake: URL): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.host === fake.host) return url
  if (!url || classifyHost(url.hostname) !== 'service') return undefined
  return new URL(fake.origin + fake.pathname.replace(/\/$/, '') + url.pathname + url.search)
}

async function grantConsent(url: URL): Promise<Response> {
  const reply = await fetch(url, { redirect: 'manual' })
  const page = reply.status === 200 ? await reply.clone().text() : ''
  const [, form] = /name="form" value="([^"]*)"/.exec(page) ?? []
  const [, account] = /name="account" value="([^"]*)" checked/.exec(page) ?? []
  if (form === undefined || account === undefined) return reply
  const body = new URLSearchParams({ form: unescapeHtml(form), account: unescapeHtml(account), decision: 'allow' })
  return fetch(url, { method: 'POST', body, redirect: 'manual', headers: { Origin: url.origin } })
}

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/&#(\d{1,6});/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')

async function followRedirects(first: Response, from: URL): Promise<void> {
  let [reply, at] = [first, from]
  for (let count = 0; count < MAX_REDIRECTS; count++) {
    const location = reply.headers.get('Location')
    if (reply.status < 300 || reply.status >= 400 || location === null) break
    at = new URL(location, at)
    if (!/^https?:$/.test(at.protocol) || classifyHost(at.hostname) !== 'local')
      return reportFailure(`it leads to ${at.origin}`)
    reply = await fetch(at, { redirect: 'manual' })
  }
  if (at !== from && reply.ok) await printCode(reply)
  if (at === from) reportFailure(`the fake answered ${reply.status} ${reply.statusText}`)
}

/** Some programs show a code on their page, to be pasted into a terminal. Nobody sees that page, so its text is printed. */
async function printCode(reply: Response): Promise<void> {
  if (!/^text\//.test(reply.headers.get('Content-Type') ?? 'text/plain')) return
  const text = unescapeHtml((await reply.text()).replace(/<(script|style)\b.*?<\/\1>|<[^>]*>/gis, ' '))
  if (!/\b(code|paste|copy)\b/i.test(text)) return
  const line = shortenLine(text.replace(/\s+/g, ' ').trim())
  process.stderr.write(`fake-calendar: BROWSER: the page shows: ${line}\n`)
}

function openWithOtherBrowser(url: string, browser: string | undefined): void {
  if (!browser) {
    reportFailure(`not a page for signing in: ${URL.canParse(url) ? new URL(url).origin : url}`)
    return
  }
  spawn(browser, [url], { stdio: 'ignore', detached: true })
    .once('error', ({ message }) => reportFailure(message))
    .unref()
}

function reportFailure(reason: string): void {
  process.stderr.write(`fake-calendar: BROWSER: nothing was opened: ${shortenLine(reason)}\n`)
  process.exitCode = 1
}

openConsentPage(process.argv.slice(2), process.env).catch((error: Error) =>
  reportFailure(String(error.cause ?? error.message)),
)
