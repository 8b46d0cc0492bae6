import { z } from 'zod'
import type { OAuthFailureName } from './types/oauthTypes.ts'

export type {
  AuthCode,
  Consent,
  Device,
  OAuthClient,
  OAuthFailure,
  OAuthFailureName,
  OAuthSeed,
  OAuthSubject,
  Revocation,
  ServiceAccount,
} from './types/oauthTypes.ts'

const email = z.email()
const instant = z.iso.datetime({ offset: true })
const scopes = z.array(z.string())

/** In strict mode, only listed clients exist. In any mode, a listed secret and listed redirect URIs must match. */
const client = z.strictObject({
  id: z.string().min(1),
  secret: z.string().optional(),
  type: z.enum(['web', 'desktop']).optional().describe('The type of client; by default derived from the redirect URI.'),
  redirectUris: z.array(z.string()).optional(),
  agentic: z.boolean().optional().describe('Marked for use by an AI-powered agent, which mcp.agenticOnly requires.'),
})

/** With a key, assertions must be signed. With `delegation`, it may impersonate accounts of the domain. */
const serviceAccount = z.strictObject({
  email,
  publicKey: z.string().optional().describe('A public key or a certificate, as PEM.'),
  delegation: z.strictObject({ scopes }).optional(),
})

const subject = z.strictObject({
  subject: z.string().min(1).describe('The token itself, or the `sub` claim of a JWT.'),
  audience: z.string().optional().describe('The required audience of the exchange; without it, any.'),
  account: email,
  scopes: scopes.optional().describe('The scopes that it may request; without it, all.'),
})

const consent = z.strictObject({
  client: z.string().min(1),
  account: email,
  scopes,
  refreshToken: z.string().min(1).optional(),
  revoked: z.boolean().optional(),
})

const revocation = z.strictObject({
  account: email.optional(),
  client: z.string().min(1).optional(),
  lifted: z.literal(true).optional().describe('The account consented again.'),
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

/** For the next `times` consents; 1 by default. */
export const oauthFailure = z.strictObject({
  fail: z.enum(['denied', 'noRefreshToken'] satisfies OAuthFailureName[]),
  times: z.int().min(1).optional(),
})

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
