/** E-mail addresses and calendar ids are matched without regard to case, and googlemail.com is gmail.com (behaviour 1.6, 3.6). */
export function addressOf(address: string): string {
  const lower = address.toLowerCase()
  return lower.endsWith(OTHER) ? `${lower.slice(0, -OTHER.length)}@gmail.com` : lower
}

const OTHER = '@googlemail.com'
