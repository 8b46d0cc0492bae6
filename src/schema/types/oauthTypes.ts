// The OAuth types of seeds and states, by hand like those of `publicTypes.ts`.

/**
 * An OAuth client. In strict mode, only listed clients exist. In any mode, a listed secret and listed redirect URIs must
 * match.
 */
export type OAuthClient = {
  id: string
  secret?: string | undefined
  /** The type of client; by default derived from the redirect URI. */
  type?: 'web' | 'desktop' | undefined
  redirectUris?: string[] | undefined
  /** True for a client that is marked for use by an AI-powered agent, which the option `mcp.agenticOnly` requires. */
  agentic?: boolean | undefined
}

/**
 * A service account. With a key, its assertions must be signed. With `delegation`, it may impersonate accounts of the
 * domain, for these scopes.
 */
export type ServiceAccount = {
  email: string
  /** A public key or a certificate, as PEM. */
  publicKey?: string | undefined
  delegation?: { scopes: string[] } | undefined
}

/** A subject of another identity provider, whose token is exchanged for one of an account (`external_account`). */
export type OAuthSubject = {
  /** The token itself, or the `sub` claim of a JWT. */
  subject: string
  /** The required audience of the exchange; without it, any. */
  audience?: string | undefined
  account: string
  /** The scopes that it may request; without it, all. */
  scopes?: string[] | undefined
}

/** The consent of an account to a client. A refresh token represents it. Scopes are URLs. */
export type Consent = {
  /** The id of an OAuth client. */
  client: string
  account: string
  scopes: string[]
  refreshToken?: string | undefined
  revoked?: boolean | undefined
}

/**
 * A revocation of one account or of all, for one client or for all. It concerns tokens that the world never issued too.
 * The latest one of an account decides; `lifted` is true if the account consented again.
 */
export type Revocation = { account?: string | undefined; client?: string | undefined; lifted?: true | undefined }

/** An authorization code, which a client exchanges for tokens. */
export type AuthCode = {
  code: string
  client: string
  account: string
  scopes: string[]
  redirectUri: string
  expires: string
  refreshToken?: string | undefined
  nonce?: string | undefined
  /** The code challenge of PKCE (RFC 7636). */
  challenge?: { value: string; method: 'plain' | 'S256' } | undefined
  used?: boolean | undefined
}

/** A run of the device flow (RFC 8628). It has an account when a person has consented. */
export type Device = {
  deviceCode: string
  /** The code that the person enters. */
  userCode: string
  client: string
  scopes: string[]
  expires: string
  account?: string | undefined
  denied?: boolean | undefined
  used?: boolean | undefined
}

/** `denied`: the user refuses the consent, also of a device. `noRefreshToken`: the consent gives no refresh token. */
export type OAuthFailureName = 'denied' | 'noRefreshToken'
/** A scripted failure of the next `times` consents; 1 by default. Errors of the token endpoint are faults of `oauth.token`. */
export type OAuthFailure = { fail: OAuthFailureName; times?: number | undefined }

/** The OAuth part of a seed or a state: clients, consents, and flows that have begun. */
export type OAuthSeed = {
  clients?: OAuthClient[] | undefined
  serviceAccounts?: ServiceAccount[] | undefined
  subjects?: OAuthSubject[] | undefined
  grants?: Consent[] | undefined
  revocations?: Revocation[] | undefined
  codes?: AuthCode[] | undefined
  devices?: Device[] | undefined
  failures?: OAuthFailure[] | undefined
}
