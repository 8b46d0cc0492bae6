import { durationOf } from '../time/clock.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** Whether text holds certificates as PEM, and each can be read. */
export function isCertificates(text: unknown): boolean {
  const found = typeof text === 'string' ? (text.match(CERTIFICATE) ?? []) : []
  // Loaded where there are some: few starts have any.
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  try {
    return found.map((one) => new X509Certificate(one)).length > 0
  } catch {
    return false
  }
}

/** Whether a receiver can be given so long: a timer's time, and some of it. */
export function isTimeout(duration: unknown): boolean {
  try {
    const long = durationOf(duration as string | number)
    return long >= 1 && long < 2 ** 31
  } catch {
    return false
  }
}
