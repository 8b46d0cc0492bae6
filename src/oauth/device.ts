import { requireClient } from './clients.ts'
import { askForConsent, consumeScriptedFailure, readDecision, resolveAccount } from './consent.ts'
import { isActive } from './credentials.ts'
import { codePage, donePage } from './pages.ts'
import {
  formatExpiry,
  type OAuthCall,
  parseScopes,
  requireParam,
  stripClientWorld,
  withWorldPrefix,
} from './request.ts'
import { endRevocation } from './tokens.ts'

const CODE_LIFETIME_S = 1800
const POLL_INTERVAL_S = 5

/**
 * A person enters the code on another device (RFC 8628). Without the option `consent`, it is approved at once for the first
 * account. A failure `denied` that a test scripted is consumed and denies it. Throws `oauthInvalidRequest` (400) without
 * `client_id` or `scope`, and `oauthUnknownClient` (401) for an unknown client in strict mode.
 */
export function issueDeviceCode(call: OAuthCall): object {
  const { world } = call
  const client = requireClient(call, stripClientWorld(call, requireParam(call, 'client_id')))
  const scopes = parseScopes(requireParam(call, 'scope'))
  const device = { deviceCode: `AH-1${world.ids.token(80)}`, userCode: world.ids.userCode() }
  const account = call.consent ? undefined : resolveAccount(call, undefined)
  const denied = consumeScriptedFailure(world, 'denied')
  if (account && !denied) endRevocation(world, { client: client.id, account })
  world.oauth.devices.put(device.deviceCode, () => ({
    ...device,
    client: client.id,
    scopes,
    expires: formatExpiry(world, CODE_LIFETIME_S),
    ...(account && !denied && { account }),
    ...(denied && { denied }),
  }))
  const page = `${call.rootUrl}device`
  return {
    device_code: withWorldPrefix(call, device.deviceCode),
    user_code: device.userCode,
    verification_url: page, // the older name
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${device.userCode}`,
    expires_in: CODE_LIFETIME_S,
    interval: POLL_INTERVAL_S,
  }
}

/** The page to enter the code of a device, to consent, or the result. */
export function handleDevicePage(call: OAuthCall): Response {
  const { world } = call
  const userCode = call.given('user_code')?.trim().toUpperCase()
  if (userCode === undefined) return codePage()
  const found = [...world.oauth.devices.values()].find((one) => one.userCode === userCode)
  if (!found || found.used || found.denied || !isActive(found, world.clock.now()))
    return donePage('That code is not known, or has expired.')
  if (found.account !== undefined) return donePage('The device is connected.')
  const form = { client: found.client, scopes: found.scopes, subject: userCode }
  const decision = readDecision(call, form)
  if (decision instanceof Response) return decision
  if (decision === 'denied') {
    world.oauth.devices.put(found.deviceCode, () => ({ ...found, denied: true }))
    return donePage('The device is not connected.')
  }
  const account = decision ? decision.account : resolveAccount(call, call.given('account'))
  if (account === undefined) return donePage('There is no such account.')
  if (!decision) return askForConsent(call, form, account)
  endRevocation(world, { client: found.client, account })
  world.oauth.devices.put(found.deviceCode, () => ({ ...found, account }))
  return donePage('The device is connected.')
}
