import { addAccounts } from '../api/accounts.ts'
import type { OAuthSeed } from '../wire/seeds/oauth.ts'
import { addressOf } from '../wire/values/address.ts'
import { consentId, subjectId } from '../world/credentials.ts'
import type { World } from '../world/world.ts'

/** Plants the OAuth part of a seed or a state. The accounts of its grants are added. */
export function plantOAuth(world: World, seed: OAuthSeed): void {
  const { clients = [], serviceAccounts = [], subjects = [], grants = [], codes = [], devices = [], cues = [] } = seed
  const { oauth } = world
  for (const client of clients) oauth.clients.restore(client.id, client, 0)
  for (const robot of serviceAccounts) oauth.serviceAccounts.restore(addressOf(robot.email), robot, 0)
  for (const one of subjects) oauth.subjects.restore(subjectId(one), one, 0)
  addAccounts(
    world,
    [...subjects, ...grants].map(({ account }) => ({ email: account })),
  )
  for (const consent of grants) oauth.consents.restore(consentId(consent), consent, 0)
  for (const code of codes) oauth.codes.restore(code.code, code, 0)
  for (const device of devices) oauth.devices.restore(device.deviceCode, device, 0)
  if (cues.length > 0) oauth.cues.value = [...oauth.cues.value, ...cues]
}

/** The OAuth part of a state, without empty lists. */
export function oauthOf({ oauth }: World): { oauth?: OAuthSeed } {
  const parts = {
    clients: [...oauth.clients.values()],
    serviceAccounts: [...oauth.serviceAccounts.values()],
    subjects: [...oauth.subjects.values()],
    grants: [...oauth.consents.values()],
    codes: [...oauth.codes.values()],
    devices: [...oauth.devices.values()],
    cues: [...oauth.cues.value],
  }
  const there = Object.entries(parts).filter(([, records]) => records.length > 0)
  return there.length > 0 ? { oauth: Object.fromEntries(there) } : {}
}
