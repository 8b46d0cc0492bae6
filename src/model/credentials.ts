import { StoreParts } from '../db/collection.ts'
import { byText, LazyValue } from '../db/store.ts'
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

/** A grant has every scope if `scopes` is missing. */
export type Grant = {
  token: string
  account: string
  scopes?: string[] | undefined
  client?: string | undefined
  expires?: string | undefined
  revoked?: boolean | undefined
}

export class OAuthRecords extends StoreParts {
  readonly clients = this.open<OAuthClient>('oauth/clients')
  readonly serviceAccounts = this.open<ServiceAccount>('oauth/serviceAccounts')
  readonly consents = this.open<Consent>('oauth/consents')
  readonly codes = this.open<AuthCode>('oauth/codes')
  readonly devices = this.open<Device>('oauth/devices')
  readonly subjects = this.open<OAuthSubject>('oauth/subjects')
  readonly forms = this.table<string, { about: string }>('oauth/forms', byText)
  /** Revocations in order. They concern tokens that the world did not issue. */
  readonly revocations = new LazyValue<readonly Revocation[]>(this.store, 'oauth/revocations', [])
  readonly failures = new LazyValue<readonly OAuthFailure[]>(this.store, 'oauth/failures', [])
}

export const consentId = ({ client, account, refreshToken = '' }: Consent): string =>
  [client, addressOf(account), refreshToken].join(' ')

export const subjectId = ({ subject, audience = '' }: OAuthSubject): string => `${audience} ${subject}`
