// Loaded on first use, because few requests need it and it would slow every start.
const crypto = () => process.getBuiltinModule('node:crypto')

/** Returns the digest of a text in base64url. It is the same in every run. */
export const digest = (text: string, algorithm: 'sha1' | 'sha256'): string =>
  crypto().hash(algorithm, text, 'base64url')

/**
 * Returns the SHA-256 digest, 32 bytes, of a key and a text. A plain hash is enough here; an HMAC takes six times as
 * long.
 */
export const keyedDigest = (key: string, text: string): Buffer => crypto().hash('sha256', `${key}\n${text}`, 'buffer')
