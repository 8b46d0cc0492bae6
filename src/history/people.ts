/** People as sentences name them: by what stands before the @, unless somebody else among them has the same. */
export type Naming = (address: string) => string

export function naming(addresses: Iterable<string>): Naming {
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
