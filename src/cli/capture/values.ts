/** Returns the value if it is a string that is not empty; else undefined. */
export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/**
 * Compares two values by their JSON text for a sort, so that the order depends on content only.
 */
export function compareByJson(one: unknown, other: unknown): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  return a < b ? -1 : a > b ? 1 : 0
}
