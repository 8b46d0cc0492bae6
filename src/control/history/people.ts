/**
 * Returns the name of a person in a sentence: the local part of the address, or the whole address if the local part
 * is ambiguous.
 */
export type FormatName = (address: string) => string

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

const localOf = (address: string): string => address.split('@')[0] || address
