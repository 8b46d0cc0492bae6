import { z } from 'zod'

const email = z.email()
const instant = z.iso.datetime({ offset: true })
const scopes = z.array(z.string())

const client = z
  .strictObject({
    id: z.string().min(1),
    secret: z.string().optional(),
    type: z
      .enum(['web', 'desktop'])
      .optional()
      .describe('The type of client; by default derived from the redirect URI.'),
    redirectUris: z.array(z.string()).optional(),
    agentic: z.boolean().optional().describe('Marked for use by an AI-powered agent, which mcp.agenticOnly requires.'),
  })
  .describe(
    'In strict mode, only listed clients exist. In any mode, a listed secret and listed redirect URIs must match.',
  )

const serviceAccount = z
  .strictObject({
    email,
    publicKey: z.string().optional().describe('A public key or a certificate, as PEM.'),
    delegation: z.strictObject({ scopes }).optional(),
  })
  .describe(
    'With a key, its assertions must be signed. With `delegation`, it may impersonate accounts of the domain, for these scopes.',
  )

const subject = z
  .strictObject({
    subject: z.string().min(1).describe('The token itself, or the `sub` claim of a JWT.'),
    audience: z.string().optional().describe('The required audience of the exchange; without it, any.'),
    account: email,
    scopes: scopes.optional().describe('The scopes that it may request; without it, all.'),
  })
  .describe(
    'A subject of another identity provider, whose token is exchanged for one of an account (`external_account`).',
  )

const consent = z
  .strictObject({
    client: z.string().min(1),
    account: email,
    scopes,
    refreshToken: z.string().min(1).optional(),
    revoked: z.boolean().optional(),
  })
  .describe('The consent of an account to a client. A refresh token represents it. Scopes are URLs.')

const revocation = z
  .strictObject({
    account: email.optional(),
    client: z.string().min(1).optional(),
    lifted: z.literal(true).optional().describe('The account consented again.'),
  })
  .describe(
    'A revocation of one account or of all, for one client or for all, which concerns tokens that the world never issued too. The latest one of an account decides.',
  )

const code = z
  .strictObject({
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
  .describe('An authorization code, which a client exchanges for tokens. `challenge` is that of PKCE (RFC 7636).')

const device = z
  .strictObject({
    deviceCode: z.string(),
    userCode: z.string(),
    client: z.string(),
    scopes,
    expires: instant,
    account: email.optional(),
    denied: z.boolean().optional(),
    used: z.boolean().optional(),
  })
  .describe('A run of the device flow (RFC 8628). It has an account when a person has consented.')

export const oauthFailure = z
  .strictObject({
    fail: z
      .enum(['denied', 'noRefreshToken'])
      .describe(
        '`denied`: the user refuses the consent, also of a device. `noRefreshToken`: the consent gives no refresh token.',
      ),
    times: z.int().min(1).optional(),
  })
  .describe(
    'A scripted failure of the next `times` consents; 1 by default. Errors of the token endpoint are faults of `oauth.token`.',
  )

export const oauthSeed = z.strictObject({
  clients: z.array(client).optional(),
  serviceAccounts: z.array(serviceAccount).optional(),
  subjects: z.array(subject).optional(),
  grants: z.array(consent).optional(),
  revocations: z.array(revocation).optional(),
  codes: z.array(code).optional(),
  devices: z.array(device).optional(),
  failures: z.array(oauthFailure).optional(),
})

/** The names of the package, whose declarations print the schemas (`build/declarations.ts`). */
export const OAUTH_TYPES = {
  OAuthClient: client,
  ServiceAccount: serviceAccount,
  OAuthSubject: subject,
  Consent: consent,
  Revocation: revocation,
  AuthCode: code,
  Device: device,
  OAuthFailure: oauthFailure,
  OAuthFailureName: oauthFailure.shape.fail,
  OAuthSeed: oauthSeed,
}

export type OAuthClient = z.output<typeof client>
export type ServiceAccount = z.output<typeof serviceAccount>
export type OAuthSubject = z.output<typeof subject>
export type Consent = z.output<typeof consent>
export type Revocation = z.output<typeof revocation>
export type AuthCode = z.output<typeof code>
export type Device = z.output<typeof device>
export type OAuthFailure = z.output<typeof oauthFailure>
export type OAuthFailureName = OAuthFailure['fail']
export type OAuthSeed = z.output<typeof oauthSeed>
