import { spawn } from 'node:child_process'
import { classifyHost } from '../../interception/hosts.ts'

/**
 * The program that `exec` names in BROWSER. It opens an authorization URL of the fake, grants consent as an account,
 * and follows the redirect to the waiting program. Argument: the URL. It passes other URLs to the browser that was set
 * before.
 */
const MAX_REDIRECTS = 10

async function main([url = '']: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const fake = new URL(env.FAKE_CALENDAR_URL ?? '')
  const target = toFake(url, fake)
  if (!target) return openElsewhere(url, env.FAKE_CALENDAR_OTHER_BROWSER)
  const account = env.FAKE_CALENDAR_CONSENT_AS
  if (account) target.searchParams.set('login_hint', account)
  await follow(await authorize(target), target)
}

/** Returns the address at the fake for a URL of the service; undefined for other URLs. */
function toFake(text: string, fake: URL): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.host === fake.host) return url
  if (!url || classifyHost(url.hostname) !== 'service') return undefined
  return new URL(fake.origin + fake.pathname.replace(/\/$/, '') + url.pathname + url.search)
}

/** Requests a URL. If the reply is a consent page, submits its form. */
async function authorize(url: URL): Promise<Response> {
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
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

async function follow(first: Response, from: URL): Promise<void> {
  let [reply, at] = [first, from]
  for (let count = 0; count < MAX_REDIRECTS; count++) {
    const location = reply.headers.get('Location')
    if (reply.status < 300 || reply.status >= 400 || location === null) break
    at = new URL(location, at)
    if (!/^https?:$/.test(at.protocol) || classifyHost(at.hostname) !== 'local') return fail(`it leads to ${at.origin}`)
    reply = await fetch(at, { redirect: 'manual' })
  }
  if (at === from) fail(`the fake answered ${reply.status} ${reply.statusText}`)
}

function openElsewhere(url: string, browser: string | undefined): void {
  if (!browser) {
    fail(`not a page for signing in: ${URL.canParse(url) ? new URL(url).origin : url}`)
    return
  }
  spawn(browser, [url], { stdio: 'ignore', detached: true })
    .once('error', ({ message }) => fail(message))
    .unref()
}

function fail(reason: string): void {
  process.stderr.write(`fake-calendar: BROWSER: nothing was opened: ${reason.replace(/\p{Cc}/gu, ' ')}\n`)
  process.exitCode = 1
}

main(process.argv.slice(2), process.env).catch((error: Error) => fail(String(error.cause ?? error.message)))
