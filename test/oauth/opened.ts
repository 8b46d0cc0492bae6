import type { FakeCalendarOptions } from '../../src/index.ts'
import { openCalendar } from '../support/calendar.ts'

export const SCOPE = 'https://www.googleapis.com/auth/calendar.readonly'
export const EVENTS = 'https://www.googleapis.com/auth/calendar.events'
export const BACK = 'https://app.example.com/back'
const ASKED = { client_id: 'app', redirect_uri: BACK, response_type: 'code', scope: SCOPE }

type Form = Record<string, string>

/** Opens a world with functions for its OAuth endpoints. Empty parameters are omitted. */
export function opened(options: FakeCalendarOptions = {}) {
  const { fake, as } = openCalendar(options)
  const post = async (path: string, form: Form, headers: Form = {}) => {
    const reply = await fake.request(path, { method: 'POST', headers, body: new URLSearchParams(form) })
    return { status: reply.status, ...(await reply.json()) }
  }
  const get = async (path: string, headers: Form = {}) => {
    const reply = await fake.request(path, { headers })
    return { status: reply.status, ...(await reply.json()) }
  }
  const token = (form: Form, headers: Form = {}) => post('/token', form, headers)
  const redeem = (code: string, more: Form = {}) =>
    token({ grant_type: 'authorization_code', client_id: 'app', redirect_uri: BACK, code, ...more })
  /** Returns the page, or its redirect with the parameters. */
  const page = async (given: Form = {}, form?: Form) => {
    const params = Object.entries({ ...ASKED, ...given }).filter(([, value]) => value !== '')
    const reply = await fake.request(`/o/oauth2/v2/auth?${new URLSearchParams(params)}`, {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    const html = await reply.text()
    const back = new URL(reply.headers.get('Location') ?? 'http://nowhere')
    return {
      status: reply.status,
      headers: reply.headers,
      html,
      form: formIn(html),
      params: Object.fromEntries(back.searchParams),
      hash: Object.fromEntries(new URLSearchParams(back.hash.slice(1))),
    }
  }
  /** The tokens that come of an authorization. */
  const signIn = async (given: Form = {}, more: Form = {}) => redeem((await page(given)).params.code ?? '', more)
  return { fake, as, post, get, token, redeem, page, signIn }
}

export const formIn = (html: string): string => /name="form" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** The claims of a token that is a JWT. */
export const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
