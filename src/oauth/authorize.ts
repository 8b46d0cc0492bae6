import { type Refusal, rowOf } from '../wire/refusals.ts'
import type { AuthCode, OAuthClient } from '../wire/seeds/oauth.ts'
import { addressOf } from '../wire/values/address.ts'
import { clientNamed, isDesktop, redirectOf } from './clients.ts'
import { takeCue } from './cues.ts'
import { openForm, takeForm } from './forms.ts'
import { consentPage, errorPage, notOurForm, OTHER, relayPage } from './pages.ts'
import { accountOf, chosenAccount, peopleOf, problemWithOther } from './people.ts'
import { POSTED, relayOf } from './relay.ts'
import { clientIdOf, handedOut, inSeconds, type OAuthCall, required, scopesIn } from './request.ts'
import { agree, consentsOf, mint } from './tokens.ts'

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

/** From here on the client itself is told: in its redirect URI, or the page that waits for it by a message. */
function redirected(redirect: string, call: OAuthCall, decide: () => Answer): Response {
  const answer = decide()
  if (answer instanceof Response) return answer
  const state = call.given('state')
  const said = { ...(state !== undefined && { state }), ...answer }
  const relay = relayOf(redirect)
  if (relay) return relayPage(relay, said)
  const url = new URL(redirect)
  // A token is for the page alone: what stands behind # is not sent to its server.
  if (call.given('response_type') === 'token') url.hash = String(new URLSearchParams(said))
  else for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value)
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

/** What a client may ask for: a code, which its server redeems, or for a page a token at once. */
const RESPONSES: readonly (string | undefined)[] = ['code', 'token']

function decide(call: OAuthCall, client: OAuthClient, redirectUri: string): Answer {
  const { world, consent, request } = call
  if (!RESPONSES.includes(call.given('response_type'))) return { error: 'unsupported_response_type' }
  const scopes = scopesIn(call.given('scope') ?? '')
  if (scopes.length === 0) return { error: 'invalid_request', error_description: 'Missing required parameter: scope' }
  const challenge = challengeOf(call)
  if (challenge === null) return { error: 'invalid_request', error_description: 'Invalid code_challenge_method' }
  // Who only looks is asked, and nothing comes of it.
  if (request.method === 'HEAD') return ask(call, client, { scopes, redirectUri, chosen: '' })
  if (takeCue(world, 'authorize', 'denied')) return { error: 'access_denied' }

  const decision = consent && request.method === 'POST' ? call.given('decision') : undefined
  if (decision !== undefined && !takeForm(call, aboutOf(client, scopes, redirectUri))) return notOurForm()
  if (decision === 'allow' && call.given('account') === OTHER) {
    const problem = problemWithOther(call)
    if (problem) return ask(call, client, { scopes, redirectUri, chosen: OTHER, problem })
  }
  const account = decision === undefined ? hinted(call, client) : chosenAccount(call, decision)
  if (account === undefined) return { error: 'access_denied' }
  const asked = { client: client.id, account, scopes, redirectUri: relayOf(redirectUri) ? POSTED : redirectUri }
  if (consent && decision === undefined && !isAgreed(call, asked))
    return ask(call, client, { scopes, redirectUri, chosen: account })
  if (consent && decision !== undefined && decision !== 'allow') return { error: 'access_denied' }

  const about = { authuser: '0', prompt: consent ? 'consent' : 'none' }
  if (call.given('response_type') === 'token') return { ...grantToken(call, asked), ...about }
  const code = grantCode(call, client, { ...asked, ...(challenge && { challenge }) })
  return { code: handedOut(call, code), scope: scopes.join(' '), ...about }
}

type Asking = { scopes: string[]; redirectUri: string; chosen: string; problem?: string }

function ask(call: OAuthCall, client: OAuthClient, { scopes, redirectUri, chosen, problem }: Asking): Answer {
  if (call.given('prompt') === 'none') return { error: 'interaction_required' }
  const form = openForm(call, aboutOf(client, scopes, redirectUri))
  return consentPage({ client: client.id, scopes, ...peopleOf(call), chosen, form, problem })
}

/** What a person is asked, which is all that their answer is good for. */
const aboutOf = ({ id }: OAuthClient, scopes: readonly string[], redirectUri: string): string =>
  [id, redirectUri, ...scopes].join(' ')

/** Who is meant where nobody has chosen: in a popup whoever has let the same client act before. */
function hinted(call: OAuthCall, client: OAuthClient): string | undefined {
  const [before] = relayOf(call.given('redirect_uri') ?? '') ? agreedBy(call, client.id) : []
  return accountOf(call, call.given('login_hint') ?? before)
}

const agreedBy = ({ world }: OAuthCall, client: string): string[] =>
  [...world.oauth.consents.values()]
    .filter((one) => one.client === client && !one.revoked)
    .map(({ account }) => account)

/** A page's popup asks a person only once for the same, unless the page wants them asked. */
function isAgreed(call: OAuthCall, { client, account, scopes, redirectUri }: Asked): boolean {
  if (redirectUri !== POSTED || !['none', undefined].includes(call.given('prompt'))) return false
  const agreed = consentsOf(call.world, client, addressOf(account)).flatMap((consent) => consent.scopes)
  return scopes.every((scope) => agreed.includes(scope))
}

/** Records what was agreed to, and gives a token for it at once. Such a client gets nothing that lasts. */
function grantToken(call: OAuthCall, { client, account, scopes }: Asked): Record<string, string> {
  const granted = { client, account, scopes: withEarlier(call, { client, account, scopes }) }
  agree(call.world, granted)
  const { access_token, expires_in, scope, token_type } = mint(call, granted)
  return { access_token, token_type, expires_in: String(expires_in), scope }
}

/** Together with what was agreed to before, where the client asks for that. */
function withEarlier(call: OAuthCall, { client, account, scopes }: Omit<Asked, 'redirectUri'>): string[] {
  const earlier = call.given('include_granted_scopes') === 'true' ? consentsOf(call.world, client, account) : []
  return [...new Set([...scopes, ...earlier.flatMap((consent) => consent.scopes)])]
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
  const scopes = withEarlier(call, asked)
  const first = before.every(({ refreshToken }) => refreshToken === undefined)
  const again = call.given('prompt')?.split(' ').includes('consent') === true
  const lasting = isDesktop(from, asked.redirectUri) || (call.given('access_type') === 'offline' && (first || again))
  const offline = lasting && !takeCue(world, 'authorize', 'noRefreshToken')
  const refreshToken = offline ? `1//${world.ids.token(60)}` : undefined
  agree(world, { client, account, scopes, ...(refreshToken && { refreshToken }) })
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
