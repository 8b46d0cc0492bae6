const ALIAS = '@googlemail.com'

/**
 * The address in lower case, with gmail.com in place of googlemail.com (behaviour 1.6, 3.6). Two texts with the same
 * result mean the same account or calendar.
 */
export function addressOf(address: string): string {
  const shown = shownAddress(address)
  return shown.endsWith(ALIAS) ? `${shown.slice(0, -ALIAS.length)}@gmail.com` : shown
}

/** The address as people of an event are shown: in lower case, with googlemail.com if it was written so (behaviour 1.6). */
export const shownAddress = (address: string): string => address.toLowerCase()

/** Both in lower case. */
export const isSameAddress = (one: string | undefined, other: string | undefined): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    (one.endsWith(ALIAS) || other.endsWith(ALIAS)) &&
    addressOf(one) === addressOf(other))
