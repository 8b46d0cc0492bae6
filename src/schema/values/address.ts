/**
 * Normalizes an e-mail address or calendar id. Case does not matter, and googlemail.com is gmail.com (behaviour 1.6,
 * 3.6).
 */
export function addressOf(address: string): string {
  const lower = address.toLowerCase()
  return lower.endsWith(OTHER) ? `${lower.slice(0, -OTHER.length)}@gmail.com` : lower
}

const OTHER = '@googlemail.com'
