export const toNonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Compares JSON texts, so that the order depends on content only. */
export function compareByJson(one: unknown, other: unknown): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  return a < b ? -1 : a > b ? 1 : 0
}
