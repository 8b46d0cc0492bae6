import type { ChangeLog } from '../db/changeLog.ts'
import { Collection } from '../db/collection.ts'
import { byText, LazyTable, LazyValue, type Store } from '../db/store.ts'
import type {
  AuthCode,
  Consent,
  Device,
  OAuthClient,
  OAuthFailure,
  OAuthSubject,
  Revocation,
  ServiceAccount,
} from '../schema/oauth.ts'
import { addressOf } from '../schema/values/address.ts'

/** Without `scopes` it has every scope. */
export type Grant = {
  token: string
  account: string
  scopes?: string[] | undefined
  client?: string | undefined
  expires?: string | undefined
  revoked?: boolean | undefined
}

export class OAuthRecords {
  readonly clients: Collection<OAuthClient>
  readonly serviceAccounts: Collection<ServiceAccount>
  readonly consents: Collection<Consent>
  /** In order. They concern tokens that the world did not issue. */
  readonly revocations: LazyValue<readonly Revocation[]>
  readonly codes: Collection<AuthCode>
  readonly devices: Collection<Device>
  readonly forms: LazyTable<string, { about: string }>
  readonly subjects: Collection<OAuthSubject>
  readonly failures: LazyValue<readonly OAuthFailure[]>

  constructor(store: Store, changes: ChangeLog) {
    const open = <T extends object>(name: string) => new Collection<T>(store, changes, `oauth/${name}`)
    this.clients = open('clients')
    this.serviceAccounts = open('serviceAccounts')
    this.consents = open('consents')
    this.revocations = new LazyValue(store, 'oauth/revocations', [])
    this.codes = open('codes')
    this.devices = open('devices')
    this.forms = new LazyTable(store, 'oauth/forms', byText)
    this.subjects = open('subjects')
    this.failures = new LazyValue(store, 'oauth/failures', [])
  }
}

export const consentId = ({ client, account, refreshToken = '' }: Consent): string =>
  [client, addressOf(account), refreshToken].join(' ')

export const subjectId = ({ subject, audience = '' }: OAuthSubject): string => `${audience} ${subject}`
