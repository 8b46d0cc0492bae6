import { addAccount } from '../calendars/accounts.ts'
import { isEmail } from '../http/auth.ts'
import { addressOf } from '../store/address.ts'
import { type Refusal, rowOf } from '../wire/refusals.ts'
import type { AuthCode, OAuthClient } from '../wire/seeds/oauth.ts'
import type { World } from '../world/world.ts'
import { clientNamed, isDesktop, redirectOf } from './clients.ts'
import { takeCue } from './cues.ts'
import { openForm, takeForm } from './forms.ts'
import { consentPage, errorPage, notOurForm } from './pages.ts'
import { clientIdOf, handedOut, inSeconds, type OAuthCall, required, scopesIn } from './request.ts'
import { consentsOf, recordConsent } from './tokens.ts'

/** How long a code may be redeemed, in seconds. */
const CODE_LIFETIME = 600

/** Brings a person back to the client with a code: at once, or after asking them. */
export function authorize(call: OAuthCall): Response {
  const client = clientNamed(call, clientIdOf(call, required(call, 'client_id')))
  const redirect = redirectOf(client, required(call, 'redirect_uri'))
  return redirected(redirect, call, () => decide(call, client, redirect))
}

/** Without a place to go back to, a refusal is a page. */
export function errorShown(refusal: Refusal): Response {
  const [fault] = refusal.faults
  if (!fault) throw refusal
  const { code, oauth = 'invalid_request' } = rowOf(fault)
  return errorPage(code, oauth, refusal.message)
}

type Answer = Record<string, string> | Response

/** From here on the client itself is told, in its redirect URI. */
function redirected(redirect: string, call: OAuthCall, decide: () => Answer): Response {
  const answer = decide()
  if (answer instanceof Response) return answer
  const url = new URL(redirect)
  const state = call.given('state')
  for (const [name, value] of Object.entries({ ...(state !== undefined && { state }), ...answer })) {
    url.searchParams.set(name, value)
  }
  return new Response(null, {
    status: 302,
    headers: {
      Location: url.href,
      'Cache-Control': 'no-store',
      'Content-Length': '0',
      'Referrer-Policy': 'no-referrer',
    },
  })
}

function decide(call: OAuthCall, client: OAuthClient, redirectUri: string): Answer {
  const { world, consent, request } = call
  if (call.given('response_type') !== 'code') return { error: 'unsupported_response_type' }
  const scopes = scopesIn(call.given('scope') ?? '')
  if (scopes.length === 0) return { error: 'invalid_request', error_description: 'Missing required parameter: scope' }
  const challenge = challengeOf(call)
  if (challenge === null) return { error: 'invalid_request', error_description: 'Invalid code_challenge_method' }
  // Who only looks is asked, and nothing comes of it.
  if (request.method === 'HEAD') return ask(call, client, { scopes, redirectUri, chosen: '' })
  if (takeCue(world, 'authorize', 'denied')) return { error: 'access_denied' }

  const decision = consent && request.method === 'POST' ? call.given('decision') : undefined
  if (decision !== undefined && !takeForm(call, aboutOf(client, scopes, redirectUri))) return notOurForm()
  const account = accountOf(call, decision === undefined ? call.given('login_hint') : call.given('account'))
  if (account === undefined) return { error: 'access_denied' }
  if (consent && decision === undefined) return ask(call, client, { scopes, redirectUri, chosen: account })
  if (consent && decision !== 'allow') return { error: 'access_denied' }

  const code = grantCode(call, client, {
    client: client.id,
    account,
    scopes,
    redirectUri,
    ...(challenge && { challenge }),
  })
  return { code: handedOut(call, code), scope: scopes.join(' '), authuser: '0', prompt: consent ? 'consent' : 'none' }
}

type Asking = { scopes: string[]; redirectUri: string; chosen: string }

function ask(call: OAuthCall, client: OAuthClient, { scopes, redirectUri, chosen }: Asking): Answer {
  if (call.given('prompt') === 'none') return { error: 'interaction_required' }
  const form = openForm(call, aboutOf(client, scopes, redirectUri))
  return consentPage({ client: client.id, scopes, accounts: accountsOf(call.world), chosen, form })
}

/** What a person is asked, which is all that their answer is good for. */
const aboutOf = ({ id }: OAuthClient, scopes: readonly string[], redirectUri: string): string =>
  [id, redirectUri, ...scopes].join(' ')

export const accountsOf = (world: World): string[] => [...world.accounts.values()].map(({ email }) => email)

/** Who is meant: the address given, or else the world's first account. In strict mode only those that there are. */
export function accountOf({ world, auth }: OAuthCall, asked: string | undefined): string | undefined {
  if (asked === undefined || !isEmail(asked)) return accountsOf(world)[0]
  if (auth.mode === 'open') return addAccount(world, { email: asked }).email
  return world.accounts.get(addressOf(asked))?.email
}

/** None where there is none; null where there is one that cannot be met. */
function challengeOf(call: OAuthCall): AuthCode['challenge'] | null {
  const value = call.given('code_challenge')
  const method = call.given('code_challenge_method') ?? 'plain'
  if (value === undefined) return undefined
  return method === 'plain' || method === 'S256' ? { value, method } : null
}

type Asked = Pick<AuthCode, 'client' | 'account' | 'scopes' | 'redirectUri' | 'challenge'>

/**
 * Records what was agreed to, and the code that stands for it. A refresh token comes with the first consent to offline
 * access alone, unless the client has the person asked again; with each, where it runs on their own machine.
 */
function grantCode(call: OAuthCall, from: OAuthClient, asked: Asked): string {
  const { world } = call
  const { client, account } = asked
  const before = consentsOf(world, client, account)
  const earlier = call.given('include_granted_scopes') === 'true' ? before.flatMap((consent) => consent.scopes) : []
  const scopes = [...new Set([...asked.scopes, ...earlier])]
  const first = before.every(({ refreshToken }) => refreshToken === undefined)
  const again = call.given('prompt')?.split(' ').includes('consent') === true
  const lasting = isDesktop(from, asked.redirectUri) || (call.given('access_type') === 'offline' && (first || again))
  const offline = lasting && !takeCue(world, 'authorize', 'noRefreshToken')
  const refreshToken = offline ? `1//${world.ids.token(60)}` : undefined
  recordConsent(world, { client, account, scopes, ...(refreshToken && { refreshToken }) })
  const nonce = call.given('nonce')
  const code = `4/0A${world.ids.token(60)}`
  world.oauth.codes.put(code, () => ({
    ...asked,
    code,
    scopes,
    expires: inSeconds(world, CODE_LIFETIME),
    ...(refreshToken && { refreshToken }),
    ...(nonce !== undefined && { nonce }),
  }))
  return code
}
