/** Returns a string that is not empty; undefined for anything else. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/**
 * Compares two values by their JSON text, for an order that depends on content only. The result is that of a sort
 * function.
 */
export function compareByJson(one: unknown, other: unknown): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  return a < b ? -1 : a > b ? 1 : 0
}
