import { createHash, createPrivateKey, sign } from 'node:crypto'
import { importJWK, importSPKI, importX509, type JWTPayload, jwtVerify } from 'jose'
import type { Account, WorldData } from '../model/worldData.ts'
import { KEY_ID, PUBLIC_KEY, SIGNING_KEY } from './keys.ts'
import { ACCESS_TOKEN_LIFETIME_S, profileOf } from './tokens.ts'

const ALGORITHM = 'RS256'
export const ISSUER = 'https://accounts.google.com'

export type IdTokenSubject = {
  account: Account
  audience: string
  accessToken?: string | undefined
  nonce?: string | undefined
}

/** The response of a grant, and the identity for its id_token. */
export type GrantResult = { reply: object; identity?: IdTokenSubject }

/** Returns a signed id_token, valid for an hour by the world's clock. It is synchronous, because grants run in a transaction. */
export function idToken(world: WorldData, { account, audience, accessToken, nonce }: IdTokenSubject): string {
  const now = Math.floor(world.clock.now() / 1000)
  const claims = {
    azp: audience,
    ...profileOf(account),
    ...(accessToken !== undefined && { at_hash: halfHash(accessToken) }),
    nonce,
    iss: ISSUER,
    aud: audience,
    iat: now,
    exp: now + ACCESS_TOKEN_LIFETIME_S + 1,
  }
  const unsigned = `${encodeJson({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT' })}.${encodeJson(claims)}`
  const key = createPrivateKey({ key: SIGNING_KEY, format: 'jwk' })
  return `${unsigned}.${sign('RSA-SHA256', Buffer.from(unsigned), key).toString('base64url')}`
}

const encodeJson = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url')

const halfHash = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

/** Returns the claims of an id_token of this server that is valid by the world's clock, else undefined. */
export async function verifiedIdToken(world: WorldData, token: string): Promise<JWTPayload | undefined> {
  const key = await importJWK(PUBLIC_KEY, ALGORITHM)
  const options = { issuer: ISSUER, algorithms: [ALGORITHM], currentDate: new Date(world.clock.now()) }
  return jwtVerify(token, key, options).then(
    ({ payload }) => payload,
    () => undefined,
  )
}

/**
 * Returns true if the key of a service account verifies an assertion. Compares its times with `issuedAt` instead of the
 * clock, because the caller checks them.
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

/** Returns the public keys that verify id_tokens. */
export const publicKeys = () => ({ keys: [{ ...PUBLIC_KEY, kid: KEY_ID, alg: ALGORITHM, use: 'sig' }] })
