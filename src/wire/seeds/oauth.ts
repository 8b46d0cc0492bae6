import { z } from 'zod'

/** What a seed may say of OAuth, and a state does: who may ask for tokens, and what has been granted and handed out. */
const email = z.email()
const instant = z.iso.datetime({ offset: true })
const scopes = z.array(z.string())

/** An application. In strict mode there are no others; in any mode a secret and redirect URIs that are given must be met. */
const client = z.strictObject({
  id: z.string().min(1),
  secret: z.string().optional(),
  /** Where it runs: without it that is read off the place that it is called back at. */
  type: z.enum(['web', 'desktop']).optional(),
  redirectUris: z.array(z.string()).optional(),
})

/** A robot account. With a key its assertions must be signed; with `delegation` it may act for the domain's people. */
const serviceAccount = z.strictObject({
  email,
  /** A public key or a certificate, as PEM. */
  publicKey: z.string().optional(),
  delegation: z.strictObject({ scopes }).optional(),
})

/** Somebody with a token of another provider's, which they exchange for one of an account's (`external_account`). */
const subject = z.strictObject({
  /** The token itself, or the `sub` of a token that is a JWT. */
  subject: z.string().min(1),
  /** The provider that the exchange has to name; without it any. */
  audience: z.string().optional(),
  account: email,
  /** What they may ask for; without it everything. */
  scopes: scopes.optional(),
})

/** That an account lets a client act for it. A refresh token stands for it. */
const consent = z.strictObject({
  client: z.string().min(1),
  account: email,
  scopes,
  refreshToken: z.string().min(1).optional(),
  revoked: z.boolean().optional(),
})

const code = z.strictObject({
  code: z.string(),
  client: z.string(),
  account: email,
  scopes,
  redirectUri: z.string(),
  expires: instant,
  refreshToken: z.string().optional(),
  nonce: z.string().optional(),
  challenge: z.strictObject({ value: z.string(), method: z.enum(['plain', 'S256']) }).optional(),
  used: z.boolean().optional(),
})

const device = z.strictObject({
  deviceCode: z.string(),
  userCode: z.string(),
  client: z.string(),
  scopes,
  expires: instant,
  account: email.optional(),
  denied: z.boolean().optional(),
  used: z.boolean().optional(),
})

/** What a test author may have go wrong, and where it does. */
export const OAUTH_CUES = {
  denied: 'authorize',
  noRefreshToken: 'authorize',
  authorizationPending: 'token',
  slowDown: 'token',
  invalidGrant: 'token',
  invalidClient: 'token',
  revoked: 'token',
  unavailable: 'token',
} as const
export type OAuthCueName = keyof typeof OAUTH_CUES

export const oauthCue = z.strictObject({
  fail: z.enum(Object.keys(OAUTH_CUES) as [OAuthCueName, ...OAuthCueName[]]),
  times: z.int().min(1).optional(),
})

export const oauthSeed = z.strictObject({
  clients: z.array(client).optional(),
  serviceAccounts: z.array(serviceAccount).optional(),
  subjects: z.array(subject).optional(),
  grants: z.array(consent).optional(),
  codes: z.array(code).optional(),
  devices: z.array(device).optional(),
  cues: z.array(oauthCue).optional(),
})

type Each<K extends keyof z.output<typeof oauthSeed>> = NonNullable<z.output<typeof oauthSeed>[K]>[number]
export type OAuthSeed = z.output<typeof oauthSeed>
export type OAuthClient = Each<'clients'>
export type ServiceAccount = Each<'serviceAccounts'>
export type OAuthSubject = Each<'subjects'>
export type Consent = Each<'grants'>
export type AuthCode = Each<'codes'>
export type Device = Each<'devices'>
export type OAuthCue = Each<'cues'>
