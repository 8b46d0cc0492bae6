import { createHash, createPrivateKey, sign } from 'node:crypto'
import { importJWK, importSPKI, importX509, type JWTPayload, jwtVerify } from 'jose'
import type { Account } from '../model/worldData.ts'
import type { OAuthCall } from './request.ts'
import signing from './signingKey.json' with { type: 'json' }
import { ACCESS_TOKEN_LIFETIME_S, toProfileClaims } from './tokens.ts'

const ALGORITHM = 'RS256'
// The key is in the package and the same everywhere, so that equal runs return equal bytes. It proves nothing.
const KEY_ID = 'fake-calendar-1'
const { kty, e, n } = signing.key
const PUBLIC_KEY = { kty, e, n }
export const ISSUER = 'https://accounts.google.com'

/** The option `issuer`, where `self` is the address of the world. `rootUrl` ends with a slash. */
export const resolveIssuer = (issuer: string | undefined, rootUrl: string): string =>
  issuer === 'self' ? rootUrl.slice(0, -1) : (issuer ?? ISSUER)

/** The audience is a client id. */
export type IdTokenSubject = {
  account: Account
  scopes: readonly string[] | undefined
  audience: string
  accessToken?: string | undefined
  nonce?: string | undefined
}

/** `reply` is without the id_token. */
export type GrantResult = { reply: object; identity?: IdTokenSubject }

/** Valid for an hour by the world's clock. Synchronous, because grants run in a transaction. */
export function signIdToken(
  { world, issuer }: OAuthCall,
  { account, scopes, audience, accessToken, nonce }: IdTokenSubject,
): string {
  const now = Math.floor(world.clock.now() / 1000)
  const claims = {
    azp: audience,
    ...toProfileClaims(account, scopes),
    ...(accessToken !== undefined && { at_hash: halfHash(accessToken) }),
    nonce,
    iss: issuer,
    aud: audience,
    iat: now,
    exp: now + ACCESS_TOKEN_LIFETIME_S + 1,
  }
  const unsigned = `${encodeJwtPart({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT' })}.${encodeJwtPart(claims)}`
  const key = createPrivateKey({ key: signing.key, format: 'jwk' })
  return `${unsigned}.${sign('RSA-SHA256', Buffer.from(unsigned), key).toString('base64url')}`
}

const encodeJwtPart = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url')

const halfHash = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

/** Undefined unless this server signed the token and it is not expired by the world's clock. The audience is not verified. */
export async function verifyIdToken({ world, issuer }: OAuthCall, token: string): Promise<JWTPayload | undefined> {
  const key = await importJWK(PUBLIC_KEY, ALGORITHM)
  const options = { issuer, algorithms: [ALGORITHM], currentDate: new Date(world.clock.now()) }
  return jwtVerify(token, key, options).then(
    ({ payload }) => payload,
    () => undefined,
  )
}

/**
 * `pem` is a public key or a certificate; an invalid one gives false. Compares the times of the assertion with `issuedAt`
 * (seconds since the epoch) instead of the clock, because the caller checks them.
 */
export async function isSignedBy(assertion: string, pem: string, issuedAt: number): Promise<boolean> {
  try {
    const read = pem.includes('CERTIFICATE') ? importX509 : importSPKI
    await jwtVerify(assertion, await read(pem, ALGORITHM), {
      algorithms: [ALGORITHM],
      currentDate: new Date(issuedAt * 1000),
    })
    return true
  } catch {
    return false
  }
}

export const getPublicKeys = () => ({ keys: [{ ...PUBLIC_KEY, kid: KEY_ID, alg: ALGORITHM, use: 'sig' }] })

/** The same key, in the form of older versions. */
export const getCertificates = () => ({ [KEY_ID]: signing.certificate })
