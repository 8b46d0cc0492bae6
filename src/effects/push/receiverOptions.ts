import { parseDuration } from '../../model/clock.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** Returns true if a text contains PEM certificates and all of them are readable. */
export function isPemCertificates(text: unknown): boolean {
  const found = typeof text === 'string' ? (text.match(CERTIFICATE) ?? []) : []
  // Loaded on first use, because few servers have certificates.
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  try {
    return found.map((one) => new X509Certificate(one)).length > 0
  } catch {
    return false
  }
}

/** Returns true for a valid timeout of a receiver: from 1 ms to the longest timer. */
export function isTimeout(duration: unknown): boolean {
  try {
    const long = parseDuration(duration as string | number)
    return long >= 1 && long < 2 ** 31
  } catch {
    return false
  }
}
