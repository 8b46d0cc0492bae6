/** Returns the name of a person in a sentence, given the address. */
export type FormatName = (address: string) => string

/**
 * Returns a function that formats an address as its local part (`alice`), or as the whole address if several of
 * `addresses` have that local part.
 */
export function nameFormatter(addresses: Iterable<string>): FormatName {
  const owners = new Map<string, Set<string>>()
  for (const address of addresses) {
    const local = localOf(address)
    owners.set(local, (owners.get(local) ?? new Set()).add(address))
  }
  return (address) => {
    const local = localOf(address)
    return (owners.get(local)?.size ?? 0) > 1 ? address : local
  }
}

/** Returns the part before the `@`. Returns a text without one, or with none before it, unchanged. */
const localOf = (address: string): string => address.split('@')[0] || address
