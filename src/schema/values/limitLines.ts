/** Of lists in messages. */
export const MAX_LISTED = 20

/** Returns the first 20 lines, and a last one with the number of the others: `and 3 more`. A list of 21 is not cut. */
export function limitLines(lines: readonly string[]): string[] {
  const more = lines.length - MAX_LISTED
  return more > 1 ? [...lines.slice(0, MAX_LISTED), `and ${more} more`] : [...lines]
}

/** `blue, green`; the first 20 of a longer list, and the number of the others. */
export const listNames = (names: readonly string[]): string =>
  names.length > MAX_LISTED
    ? `${names.slice(0, MAX_LISTED).join(', ')} and ${names.length - MAX_LISTED} more`
    : names.join(', ')
