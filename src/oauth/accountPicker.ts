import { addAccount } from '../api/accounts.ts'
import { addressOf } from '../schema/values/address.ts'
import { isEmail } from './credentials.ts'
import { OTHER } from './pages.ts'
import type { OAuthCall } from './request.ts'

/** Returns the accounts that a page offers. In open mode a person may add one. */
export const accountChoices = ({ world, auth }: OAuthCall) => ({
  accounts: [...world.accounts.values()],
  mayAdd: auth.mode === 'open',
})

/**
 * Returns the account of an address; without a valid address, the world's first account. Open mode creates a missing
 * account. Strict mode returns undefined for it.
 */
export function resolveAccount({ world, auth }: OAuthCall, address: string | undefined): string | undefined {
  if (address === undefined || !isEmail(address)) return [...world.accounts.values()][0]?.email
  if (auth.mode === 'open') return addAccount(world, { email: address }).email
  return world.accounts.get(addressOf(address))?.email
}

/** Returns an error message for an entered address, or undefined if it is valid. */
export function findEmailProblem(call: OAuthCall): string | undefined {
  const email = call.given('email')?.trim()
  if (email === undefined) return 'Type in an email address.'
  if (!isEmail(email)) return `${email} is not an email address.`
  return call.auth.mode === 'open' || call.world.accounts.get(addressOf(email)) ? undefined : `${email} has no account.`
}

/** Returns the account that a person chose on the page. In open mode, consent creates an account for a new address. */
export function chosenAccount(call: OAuthCall, decision: string): string | undefined {
  if (call.given('account') !== OTHER) return resolveAccount(call, call.given('account'))
  const email = call.given('email')?.trim() ?? ''
  if (decision === 'allow' && call.auth.mode === 'open')
    addAccount(call.world, { email, displayName: call.given('name')?.trim() })
  return decision === 'allow' ? resolveAccount(call, email) : email
}
