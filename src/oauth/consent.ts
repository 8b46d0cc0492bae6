import { addAccount } from '../api/accounts.ts'
import type { WorldData } from '../model/worldData.ts'
import type { OAuthFailureName } from '../schema/oauth.ts'
import { addressOf } from '../schema/values/address.ts'
import { shorten } from '../schema/values/shownText.ts'
import { isEmail } from './credentials.ts'
import { consentPage, expiredFormPage, OTHER } from './pages.ts'
import type { OAuthCall } from './request.ts'

/** `client` is an id. A form is valid only for its subject, which is any text. */
export type ConsentForm = { client: string; scopes: readonly string[]; subject: string }

const MAX_OPEN_FORMS = 1000

/**
 * `chosen` is the selected address. The form contains a random text, by which the server recognizes its own form and accepts it
 * once. It does not expire by the world's clock, because that may advance by days while a person reads the form.
 */
export function askForConsent(
  { world, auth }: OAuthCall,
  { client, scopes, subject }: ConsentForm,
  chosen: string,
  problem?: string,
): Response {
  const { forms } = world.oauth
  if (forms.size >= MAX_OPEN_FORMS) forms.clear()
  const csrfToken = world.ids.token(32)
  forms.set(csrfToken, { about: subject })
  const accounts = [...world.accounts.values()]
  return consentPage({ client, scopes, accounts, mayAdd: auth.mode === 'open', chosen, csrfToken, problem })
}

/**
 * The decision on a submitted form, or a page if the form is not valid. Undefined for other requests. Open mode creates the
 * chosen account; in strict mode an unknown one is undefined.
 */
export function readDecision(
  call: OAuthCall,
  form: ConsentForm,
): Response | 'denied' | { account: string | undefined } | undefined {
  const { world, auth, request } = call
  const decision = request.method === 'POST' ? call.given('decision') : undefined
  if (decision === undefined) return undefined
  const csrfToken = call.given('form') ?? ''
  const issued = world.oauth.forms.get(csrfToken)
  world.oauth.forms.delete(csrfToken)
  if (issued?.about !== form.subject) return expiredFormPage()
  if (decision !== 'allow') return 'denied'
  if (call.given('account') !== OTHER) return { account: resolveAccount(call, call.given('account')) }
  const email = call.given('email')?.trim()
  const problem = findEmailProblem(call, email)
  if (problem) return askForConsent(call, form, OTHER, problem)
  if (auth.mode === 'open') addAccount(world, { email: email ?? '', displayName: call.given('name')?.trim() })
  return { account: resolveAccount(call, email) }
}

function findEmailProblem({ world, auth }: OAuthCall, email: string | undefined): string | undefined {
  if (email === undefined) return 'Type in an email address.'
  if (!isEmail(email)) return `${shorten(email)} is not an email address.`
  return auth.mode === 'open' || world.accounts.get(addressOf(email)) ? undefined : `${shorten(email)} has no account.`
}

/**
 * The address in lower case. A missing or invalid `address` means the account of `signInAs`, or else the world's first.
 * For an unknown address, open mode creates the account, and strict mode returns undefined.
 */
export function resolveAccount(
  { world, auth, signInAs }: OAuthCall,
  requested: string | undefined,
): string | undefined {
  const address = requested !== undefined && isEmail(requested) ? requested : signInAs
  if (address === undefined) return [...world.accounts.values()][0]?.email
  if (auth.mode === 'open') return addAccount(world, { email: address }).email
  return world.accounts.get(addressOf(address))?.email
}

/** True if a failure of the kind is scripted. Reduces its remaining `times`, and removes it at 0. */
export function consumeScriptedFailure({ oauth }: WorldData, kind: OAuthFailureName): boolean {
  const at = oauth.failures.value.findIndex(({ fail }) => fail === kind)
  const failure = oauth.failures.value[at]
  if (!failure) return false
  const left = (failure.times ?? 1) - 1
  const rest = left > 0 ? [{ ...failure, times: left }] : []
  oauth.failures.value = oauth.failures.value.toSpliced(at, 1, ...rest)
  return true
}
