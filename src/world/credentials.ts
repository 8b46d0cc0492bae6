import { addAccount } from '../calendars/accounts.ts'
import { type ChangeLog, Collection } from '../store/changes.ts'
import type { AuthCode, Consent, Device, OAuthClient, OAuthCue, OAuthSeed, ServiceAccount } from '../wire/oauthSeed.ts'
import { addressOf, type World } from './world.ts'

/** A token that was seeded or minted: whose it is and what it may be used for (every scope, where none are named). */
export type Grant = {
  token: string
  account: string
  scopes?: string[] | undefined
  client?: string | undefined
  expires?: string | undefined
  revoked?: boolean | undefined
}

/** What a world knows of OAuth: who may ask for tokens, and what has been granted. */
export class Credentials {
  readonly clients: Collection<OAuthClient>
  readonly serviceAccounts: Collection<ServiceAccount>
  /** By client, account and refresh token: a second consent is a second record. */
  readonly consents: Collection<Consent>
  readonly codes: Collection<AuthCode>
  readonly devices: Collection<Device>
  /** What is to go wrong, in order; each once, unless it says how often. */
  cues: readonly OAuthCue[] = []

  constructor(changes: ChangeLog) {
    this.clients = new Collection(changes)
    this.serviceAccounts = new Collection(changes)
    this.consents = new Collection(changes)
    this.codes = new Collection(changes)
    this.devices = new Collection(changes)
  }
}

export const consentId = ({ client, account, refreshToken = '' }: Consent): string =>
  [client, addressOf(account), refreshToken].join(' ')

/** Whether something that expires still stands, on the world's clock. */
export const stands = (
  world: World,
  { expires, revoked }: { expires?: string | undefined; revoked?: boolean | undefined },
) => !revoked && (expires === undefined || Date.parse(expires) > world.clock.now())

/** Puts in what a seed or a state says. The people that it names come into being. */
export function plantOAuth(world: World, seed: OAuthSeed): void {
  const { clients = [], serviceAccounts = [], grants = [], codes = [], devices = [], cues = [] } = seed
  const { oauth } = world
  for (const client of clients) oauth.clients.restore(client.id, client, 0)
  for (const robot of serviceAccounts) oauth.serviceAccounts.restore(addressOf(robot.email), robot, 0)
  for (const { account } of grants) addAccount(world, { email: account })
  for (const consent of grants) oauth.consents.restore(consentId(consent), consent, 0)
  for (const code of codes) oauth.codes.restore(code.code, code, 0)
  for (const device of devices) oauth.devices.restore(device.deviceCode, device, 0)
  oauth.cues = [...oauth.cues, ...cues]
}

/** The same as a seed, with only what there is. */
export function oauthOf({ oauth }: World): { oauth?: OAuthSeed } {
  const parts = {
    clients: [...oauth.clients.values()],
    serviceAccounts: [...oauth.serviceAccounts.values()],
    grants: [...oauth.consents.values()],
    codes: [...oauth.codes.values()],
    devices: [...oauth.devices.values()],
    cues: [...oauth.cues],
  }
  const there = Object.entries(parts).filter(([, records]) => records.length > 0)
  return there.length > 0 ? { oauth: Object.fromEntries(there) } : {}
}
