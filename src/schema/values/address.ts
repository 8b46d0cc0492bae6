/**
 * The address in lower case, with gmail.com in place of googlemail.com (behaviour 1.6, 3.6). Two texts with the same
 * result mean the same account or calendar.
 */
export function addressOf(address: string): string {
  const lower = address.toLowerCase()
  return lower.endsWith(ALIAS) ? `${lower.slice(0, -ALIAS.length)}@gmail.com` : lower
}

const ALIAS = '@googlemail.com'
