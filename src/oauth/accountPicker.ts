import { addAccount } from '../api/accounts.ts'
import { addressOf } from '../schema/values/address.ts'
import { isEmail } from './credentials.ts'
import { OTHER } from './pages.ts'
import type { OAuthCall } from './request.ts'

/**
 * In the order of their creation. `mayAdd` is true in open mode, which accepts any address; strict mode accepts existing accounts
 * only.
 */
export const listAccountChoices = ({ world, auth }: OAuthCall) => ({
  accounts: [...world.accounts.values()],
  mayAdd: auth.mode === 'open',
})

/**
 * In lower case. A missing or invalid `address` means the world's first account. For an unknown address, open mode creates the
 * account, and strict mode returns undefined.
 */
export function resolveAccount({ world, auth }: OAuthCall, address: string | undefined): string | undefined {
  if (address === undefined || !isEmail(address)) return [...world.accounts.values()][0]?.email
  if (auth.mode === 'open') return addAccount(world, { email: address }).email
  return world.accounts.get(addressOf(address))?.email
}

/** In strict mode the account must exist. */
export function findEmailProblem(call: OAuthCall): string | undefined {
  const email = call.given('email')?.trim()
  if (email === undefined) return 'Type in an email address.'
  if (!isEmail(email)) return `${email} is not an email address.`
  return call.auth.mode === 'open' || call.world.accounts.get(addressOf(email)) ? undefined : `${email} has no account.`
}

/**
 * Call it after `findEmailProblem`. If `decision` is `allow`, open mode creates the account of a new address; for any other
 * decision an entered address is returned as it is.
 */
export function resolveChosenAccount(call: OAuthCall, decision: string): string | undefined {
  if (call.given('account') !== OTHER) return resolveAccount(call, call.given('account'))
  const email = call.given('email')?.trim() ?? ''
  if (decision === 'allow' && call.auth.mode === 'open')
    addAccount(call.world, { email, displayName: call.given('name')?.trim() })
  return decision === 'allow' ? resolveAccount(call, email) : email
}
