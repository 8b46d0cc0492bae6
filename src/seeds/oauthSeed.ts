import { addAccounts } from '../api/accounts.ts'
import { consentId, subjectId } from '../model/credentials.ts'
import type { WorldData } from '../model/worldData.ts'
import type { OAuthSeed } from '../schema/oauth.ts'
import { addressOf } from '../schema/values/address.ts'

/** Records with an existing id are replaced; scripted failures (`failures`) are added, and the accounts of all consents. */
export function applyOAuthSeed(world: WorldData, seed: OAuthSeed): void {
  const {
    clients = [],
    serviceAccounts = [],
    subjects = [],
    grants = [],
    codes = [],
    devices = [],
    failures = [],
  } = seed
  const { revocations = [] } = seed
  const { oauth } = world
  for (const client of clients) oauth.clients.restore(client.id, client, 0)
  for (const robot of serviceAccounts) oauth.serviceAccounts.restore(addressOf(robot.email), robot, 0)
  for (const one of subjects) oauth.subjects.restore(subjectId(one), one, 0)
  addAccounts(
    world,
    [...subjects, ...grants].map(({ account }) => ({ email: account })),
  )
  for (const consent of grants) oauth.consents.restore(consentId(consent), consent, 0)
  if (revocations.length > 0) oauth.revocations.value = [...oauth.revocations.value, ...revocations]
  for (const code of codes) oauth.codes.restore(code.code, code, 0)
  for (const device of devices) oauth.devices.restore(device.deviceCode, device, 0)
  if (failures.length > 0) oauth.failures.value = [...oauth.failures.value, ...failures]
}

export function exportOAuth({ oauth }: WorldData): { oauth?: OAuthSeed } {
  const parts = {
    clients: [...oauth.clients.values()],
    serviceAccounts: [...oauth.serviceAccounts.values()],
    subjects: [...oauth.subjects.values()],
    grants: [...oauth.consents.values()],
    revocations: [...oauth.revocations.value],
    codes: [...oauth.codes.values()],
    devices: [...oauth.devices.values()],
    failures: [...oauth.failures.value],
  }
  const present = Object.entries(parts).filter(([, records]) => records.length > 0)
  return present.length > 0 ? { oauth: Object.fromEntries(present) } : {}
}
