import type { ChangeLog } from '../db/changeLog.ts'
import { Collection } from '../db/collection.ts'
import { LazyTable } from '../db/lazyTable.ts'
import { LazyValue } from '../db/lazyValue.ts'
import type { Store } from '../db/store.ts'
import { byText } from '../db/tree.ts'
import type {
  AuthCode,
  Consent,
  Device,
  OAuthClient,
  OAuthCue,
  OAuthSubject,
  ServiceAccount,
} from '../wire/seeds/oauth.ts'
import { addressOf } from '../wire/values/address.ts'

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
  /** The pages that a person has been shown, by the token of their form. */
  readonly forms: LazyTable<string, { about: string; expires: string }>
  /** Who may exchange a token of somebody else's for one. */
  readonly subjects: Collection<OAuthSubject>
  /** What is to go wrong, in order; each once, unless it says how often. */
  readonly cues: LazyValue<readonly OAuthCue[]>

  constructor(store: Store, changes: ChangeLog) {
    const open = <T extends object>(name: string) => new Collection<T>(store, changes, `oauth/${name}`)
    this.clients = open('clients')
    this.serviceAccounts = open('serviceAccounts')
    this.consents = open('consents')
    this.codes = open('codes')
    this.devices = open('devices')
    this.forms = new LazyTable(store, 'oauth/forms', byText)
    this.subjects = open('subjects')
    this.cues = new LazyValue(store, 'oauth/cues', [])
  }
}

export const consentId = ({ client, account, refreshToken = '' }: Consent): string =>
  [client, addressOf(account), refreshToken].join(' ')

export const subjectId = ({ subject, audience = '' }: OAuthSubject): string => `${audience} ${subject}`
