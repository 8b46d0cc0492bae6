import { addAccount } from '../api/accounts.ts'
import { isEmail } from '../http/auth.ts'
import { addressOf } from '../wire/values/address.ts'
import { OTHER } from './pages.ts'
import type { OAuthCall } from './request.ts'

/** Whom a page of ours lets a person choose from. */
export const peopleOf = ({ world, auth }: OAuthCall) => ({
  people: [...world.accounts.values()],
  mayAdd: auth.mode === 'open',
})

/** Who is meant: the address given, or else the world's first account. In strict mode only those that there are. */
export function accountOf({ world, auth }: OAuthCall, asked: string | undefined): string | undefined {
  if (asked === undefined || !isEmail(asked)) return [...world.accounts.values()][0]?.email
  if (auth.mode === 'open') return addAccount(world, { email: asked }).email
  return world.accounts.get(addressOf(asked))?.email
}

/** What is wrong with the address that was typed in. */
export function problemWithOther(call: OAuthCall): string | undefined {
  const email = call.given('email')?.trim()
  if (email === undefined) return 'Type in an email address.'
  if (!isEmail(email)) return `${email} is not an email address.`
  return call.auth.mode === 'open' || call.world.accounts.get(addressOf(email)) ? undefined : `${email} has no account.`
}

/** Whom a person chose on a page of ours. Who had no account yet has one as soon as they agree. */
export function chosenAccount(call: OAuthCall, decision: string): string | undefined {
  if (call.given('account') !== OTHER) return accountOf(call, call.given('account'))
  const email = call.given('email')?.trim() ?? ''
  if (decision === 'allow' && call.auth.mode === 'open')
    addAccount(call.world, { email, displayName: call.given('name')?.trim() })
  return decision === 'allow' ? accountOf(call, email) : email
}
