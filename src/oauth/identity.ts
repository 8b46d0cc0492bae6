import { createHash, createPrivateKey, sign } from 'node:crypto'
import { importJWK, importSPKI, importX509, type JWTPayload, jwtVerify } from 'jose'
import type { Account, World } from '../world/world.ts'
import { KEY_ID, PUBLIC_KEY, SIGNING_KEY } from './keys.ts'
import { LIFETIME, profileOf } from './tokens.ts'

const ALGORITHM = 'RS256'
export const ISSUER = 'https://accounts.google.com'

export type Identity = {
  account: Account
  audience: string
  accessToken?: string | undefined
  nonce?: string | undefined
}

/** What is given, and whose identity is signed beside it. */
export type Given = { reply: object; identity?: Identity }

/** Who somebody is, signed. It is good from now for an hour on the world's clock. Nothing is waited for: it is a part of a grant. */
export function idToken(world: World, { account, audience, accessToken, nonce }: Identity): string {
  const now = Math.floor(world.clock.now() / 1000)
  const claims = {
    azp: audience,
    ...profileOf(account),
    ...(accessToken !== undefined && { at_hash: halfHash(accessToken) }),
    nonce,
    iss: ISSUER,
    aud: audience,
    iat: now,
    exp: now + LIFETIME + 1,
  }
  const said = `${encoded({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT' })}.${encoded(claims)}`
  const key = createPrivateKey({ key: SIGNING_KEY, format: 'jwk' })
  return `${said}.${sign('RSA-SHA256', Buffer.from(said), key).toString('base64url')}`
}

const encoded = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url')

const halfHash = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

/** The claims of an id_token of ours that is still good on the world's clock; none of any other. */
export async function verifiedIdToken(world: World, token: string): Promise<JWTPayload | undefined> {
  const key = await importJWK(PUBLIC_KEY, ALGORITHM)
  const options = { issuer: ISSUER, algorithms: [ALGORITHM], currentDate: new Date(world.clock.now()) }
  return jwtVerify(token, key, options).then(
    ({ payload }) => payload,
    () => undefined,
  )
}

/** Whether a service account signed its assertion, at whatever time. */
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

/** The public keys that id_tokens are checked with. */
export const publicKeys = () => ({ keys: [{ ...PUBLIC_KEY, kid: KEY_ID, alg: ALGORITHM, use: 'sig' }] })
