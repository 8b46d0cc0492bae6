/** The longest list in a message. */
export const MAX_LISTED = 20

/**
 * Returns the first lines, by default 20, and a last one with the number of the others: `and 3 more`. A list with one
 * line more is not cut.
 */
export function limitLines<T>(lines: readonly T[], max = MAX_LISTED): (T | string)[] {
  const more = lines.length - max
  return more > 1 ? [...lines.slice(0, max), `and ${more} more`] : [...lines]
}

/** `blue, green`; the first 20 of a longer list, and the number of the others. */
export const listNames = (names: readonly string[]): string =>
  names.length > MAX_LISTED
    ? `${names.slice(0, MAX_LISTED).join(', ')} and ${names.length - MAX_LISTED} more`
    : names.join(', ')
