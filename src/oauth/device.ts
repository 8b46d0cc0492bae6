import { stands } from '../sync/expiry.ts'
import { clientNamed } from './clients.ts'
import { takeCue } from './cues.ts'
import { openForm, takeForm } from './forms.ts'
import { codePage, consentPage, donePage, notOurForm, OTHER } from './pages.ts'
import { accountOf, chosenAccount, peopleOf, problemWithOther } from './people.ts'
import { clientIdOf, handedOut, inSeconds, type OAuthCall, required, scopesIn } from './request.ts'

const LIFETIME = 1800
const INTERVAL = 5

/** A device that cannot show a page asks for a code, which a person then types in elsewhere (RFC 8628). */
export function deviceCode(call: OAuthCall): object {
  const { world } = call
  const client = clientNamed(call, clientIdOf(call, required(call, 'client_id')))
  const scopes = scopesIn(required(call, 'scope'))
  const device = { deviceCode: `AH-1${world.ids.token(80)}`, userCode: world.ids.userCode() }
  const account = call.consent ? undefined : accountOf(call, undefined)
  const denied = takeCue(world, 'authorize', 'denied') !== undefined
  world.oauth.devices.put(device.deviceCode, () => ({
    ...device,
    client: client.id,
    scopes,
    expires: inSeconds(world, LIFETIME),
    ...(account && !denied && { account }),
    ...(denied && { denied }),
  }))
  const page = `${call.rootUrl}device`
  return {
    device_code: handedOut(call, device.deviceCode),
    user_code: device.userCode,
    verification_url: page,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${device.userCode}`,
    expires_in: LIFETIME,
    interval: INTERVAL,
  }
}

/** The page where the person types it in and agrees. */
export function device(call: OAuthCall): Response {
  const { world, request } = call
  const userCode = call.given('user_code')?.trim().toUpperCase()
  if (userCode === undefined) return codePage()
  const found = [...world.oauth.devices.values()].find((one) => one.userCode === userCode)
  if (!found || found.used || found.denied || !stands(found, world.clock.now()))
    return donePage('That code is not known, or has expired.')
  if (found.account !== undefined) return donePage('The device is connected.')
  const decision = request.method === 'POST' ? call.given('decision') : undefined
  if (decision !== undefined && !takeForm(call, userCode)) return notOurForm()
  const ask = (chosen: string, problem?: string) => {
    const { client, scopes } = found
    return consentPage({ client, scopes, ...peopleOf(call), chosen, form: openForm(call, userCode), problem })
  }
  if (decision === 'allow' && call.given('account') === OTHER) {
    const problem = problemWithOther(call)
    if (problem) return ask(OTHER, problem)
  }
  const account = decision === undefined ? accountOf(call, call.given('account')) : chosenAccount(call, decision)
  if (account === undefined) return donePage('There is no such account.')
  if (decision === undefined) return ask(account)
  const allowed = decision === 'allow'
  world.oauth.devices.put(found.deviceCode, () => ({ ...found, ...(allowed ? { account } : { denied: true }) }))
  return donePage(allowed ? 'The device is connected.' : 'The device is not connected.')
}
