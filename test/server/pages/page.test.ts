import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createCertificates } from '../../../src/interception/authority.ts'
import { HostList } from '../../../src/interception/hosts.ts'
import { openProxy } from '../../../src/interception/proxy.ts'
import { ALICE, BOB, openCalendar } from '../../support/calendar.ts'
import { lacks, pathOf } from '../../support/programs.ts'
import { planner } from './planner.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync']
/** No name leads anywhere but by the proxy. */
const ALONE = ['--disable-component-update', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1']
const REAL = { api: 'https://apis.google.com', accounts: 'https://accounts.google.com' }

const PEOPLE = {
  accounts: [
    { email: ALICE, displayName: 'Alice Ash' },
    { email: BOB, displayName: 'Bob Birch' },
  ],
}

describe.skipIf(lacks('chromium'))("a page written for the service's own scripts", () => {
  let browser: Browser
  let site: Server
  let proxy: Awaited<ReturnType<typeof openProxy>>
  let current = openCalendar().fake
  let html = ''

  beforeAll(async () => {
    site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(html)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const behind = { fetch: (request: Request) => current.fetch(request), now: () => current.clock.now() }
    const allowed = new HostList([])
    proxy = await openProxy(behind, { certificates: await createCertificates(), allowed, report: () => {} })
    browser = await chromium.launch({ executablePath: pathOf('chromium'), args: [...FLAGS, ...ALONE] })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await proxy?.close()
    site?.closeAllConnections()
    site?.close()
  })

  /** Opens the page in a browser whose requests to other machines go to a fake. */
  async function opened(text: string) {
    const { fake, as } = openCalendar({ seed: PEOPLE, consent: true })
    current = fake
    html = text
    const context = await browser.newContext({ proxy: { server: proxy.url }, ignoreHTTPSErrors: true })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const hosts = new Set<string>()
    context.on('request', (request) => hosts.add(new URL(request.url()).origin))
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    return { fake, as, context, page, hosts }
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
  async function popup(context: BrowserContext, page: Page, name: string) {
    const [window] = await Promise.all([context.waitForEvent('page'), press(page, name)])
    return window
  }

  test('signs in, lists, adds, refreshes without a prompt, and signs out', async () => {
    const { fake, as, context, page, hosts } = await opened(planner(REAL))
    await as(BOB).post('/calendars/primary/events/quickAdd?text=Breakfast')
    const consent = await popup(context, page, 'Sign in')
    await consent.getByText('Bob Birch').click()
    expect(await consent.getByRole('listitem').allTextContents()).toEqual([
      'View and edit events on all your calendars',
    ])
    await press(consent, 'Allow')
    await status(page, 'granted')
    await page.getByText('Breakfast').waitFor()
    await press(page, 'Add lunch')
    await status(page, 'confirmed Lunch')
    await page.getByText('Lunch', { exact: true }).waitFor()
    const silent = await popup(context, page, 'Refresh')
    if (!silent.isClosed()) await silent.waitForEvent('close')
    await status(page, 'granted')
    await press(page, 'Sign out')
    await status(page, 'revoked: true')

    expect(fake.calls('events.insert')).toMatchObject([{ account: BOB }])
    expect(fake.state().oauth?.grants).toMatchObject([{ client: 'planner', account: BOB, revoked: true }])
    expect([...hosts].filter((origin) => origin.startsWith('https')).sort()).toEqual([
      'https://accounts.google.com',
      'https://apis.google.com',
      'https://oauth2.googleapis.com',
      'https://www.googleapis.com',
    ])
  })

  test('gets an error when the user denies or closes the window', async () => {
    const { context, page } = await opened(planner(REAL))
    await press(await popup(context, page, 'Sign in'), 'Deny')
    await status(page, 'access_denied')
    await (await popup(context, page, 'Sign in')).close()
    await status(page, 'popup_closed')
  })

  test('creates an account that did not exist', async () => {
    const { fake, context, page } = await opened(planner(REAL))
    const consent = await popup(context, page, 'Sign in')
    await consent.getByLabel('Another account').check()
    await press(consent, 'Allow')
    await consent.getByText('Type in an email address.').waitFor()
    await consent.getByText('Bob Birch').click()
    // Typing selects the account that is typed.
    await consent.getByLabel('Email').fill('dora@example.com')
    await consent.getByLabel('Name').fill('Dora <i>Dill</i>')
    await press(consent, 'Allow')
    await status(page, 'granted')
    const again = await popup(context, page, 'Refresh')
    if (!again.isClosed()) await again.waitForEvent('close')
    await press(page, 'Sign out')
    const secondConsent = await popup(context, page, 'Sign in')
    await secondConsent.getByText('Dora <i>Dill</i>').waitFor()

    expect(fake.state().accounts).toContainEqual(
      expect.objectContaining({ email: 'dora@example.com', displayName: 'Dora <i>Dill</i>' }),
    )
  })

  test('reaches the service at the origin of its scripts, in the world of their path', async () => {
    const { fake } = openCalendar({ seed: PEOPLE, consent: true })
    onTestFinished(() => fake.close())
    const at = `${(await fake.listen()).url}/w/blue`
    const { context, page, hosts } = await opened(planner({ api: at, accounts: at }))
    await press(await popup(context, page, 'Sign in'), 'Allow')
    await status(page, 'granted')
    await press(page, 'Add lunch')
    await status(page, 'confirmed Lunch')

    expect(fake.world('blue').calls('events.insert')).toHaveLength(1)
    expect([...hosts].filter((origin) => origin.startsWith('https'))).toEqual([])
  })

  const SCRIPTS = `<!DOCTYPE html><link rel="icon" href="data:,"><script>function begin() { document.title = 'begun' }</script>
    <script src="${REAL.accounts}/gsi/client"></script><script src="${REAL.api}/js/api.js?onload=begin"></script>`

  async function evaluated(program: string): Promise<unknown> {
    const { page } = await opened(SCRIPTS)
    await page.waitForFunction('document.title === "begun"')
    return page.evaluate(`(async () => { ${program} })()`)
  }
  const LOADED =
    "await gapi.client.load('calendar', 'v3'); gapi.client.setToken({ access_token: 'alice@example.com' });"

  test('gets the result, the body, the headers and the status', async () => {
    const reply = await evaluated(`${LOADED} return gapi.client.calendar.calendarList.get({ calendarId: 'primary' })`)

    expect(reply).toMatchObject({ result: { id: ALICE }, status: 200, headers: { etag: expect.any(String) } })
    expect(JSON.parse((reply as { body: string }).body)).toEqual((reply as { result: object }).result)
  })

  test.each([
    ['a body beside its parameters', "{ calendarId: 'primary', summary: 'Tea', ...times }"],
    ['a body as a second argument', "{ calendarId: 'primary' }, { summary: 'Tea', ...times }"],
    ['a resource', "{ calendarId: 'primary', resource: { summary: 'Tea', ...times } }"],
  ])('sends %s', async (_, args) => {
    const times = "const times = { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } };"
    const program = `${LOADED} ${times} return (await gapi.client.calendar.events.insert(${args})).result.summary`

    expect(await evaluated(program)).toBe('Tea')
  })

  test.each([
    ['an error of the service', "gapi.client.calendar.events.get({ calendarId: 'primary', eventId: 'none' })", 404],
    ['a missing parameter', 'gapi.client.calendar.events.list({})', 400],
    ['a request by path', "gapi.client.request({ path: '/calendar/v3/calendars/none' })", 404],
  ])('receives %s as a rejected promise', async (_, call, code) => {
    const caught = await evaluated(`${LOADED} return ${call}.then(() => 'done', (error) => error)`)

    expect(caught).toMatchObject({ status: code, result: { error: { code, message: expect.any(String) } } })
  })

  test.each([
    ["gapi.load('client:auth2', () => {})", 'gapi.load: auth2 is not built'],
    ["await gapi.client.init({ clientId: 'x', scope: 'y' })", 'gapi.auth2 is not built'],
    ['gapi.client.newBatch()', 'gapi.client.newBatch is not built'],
    ['google.accounts.id.initialize({})', 'google.accounts.id.initialize is not built'],
    ['google.accounts.oauth2.initTokenClient({})', 'Missing required parameter client_id.'],
  ])('gets an error for a missing feature: %s', async (call, message) => {
    const caught = await evaluated(`try { ${call} } catch (error) { return error.message ?? error.details }`)

    expect(caught).toContain(message)
  })

  test('may call the functions of signing out', async () => {
    expect(
      await evaluated(`google.accounts.id.disableAutoSelect(); google.accounts.id.cancel(); return 'signed out'`),
    ).toBe('signed out')
  })

  test('gets a code that a server can exchange', async () => {
    const { fake, context, page } = await opened(
      `${SCRIPTS}<button>Connect</button><p role="status"></p><script>document.querySelector('button').onclick = () =>
        google.accounts.oauth2.initCodeClient({ client_id: 'planner', scope: 'openid email', ux_mode: 'popup',
          callback: ({ code }) => { document.querySelector('p').textContent = code } }).requestCode()</script>`,
    )
    await press(await popup(context, page, 'Connect'), 'Allow')
    await status(page, '4/')
    const code = (await page.getByRole('status').textContent()) ?? ''
    const form = { grant_type: 'authorization_code', code, client_id: 'planner', redirect_uri: 'postmessage' }
    const reply = await fake.fetch('https://oauth2.googleapis.com/token', {
      method: 'POST',
      body: new URLSearchParams(form),
    })

    expect(await reply.json()).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) })
  })
})
