/** In characters. */
const MAX_SHOWN_LENGTH = 200

/**
 * A text of the network (a name, an id, a path, a reply) as a part of one line of a message: a space for control and direction
 * characters, and at most 200 characters.
 */
export function shorten(text: string, max = MAX_SHOWN_LENGTH): string {
  const cut = text.length > max ? `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : text
  return replaceControls(cut)
}

export const replaceControls = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')

/** A value as JSON, shortened. A long text is cut before it is formatted. */
export function toShown(value: unknown): string {
  if (typeof value === 'string') return shorten(JSON.stringify(replaceControls(value.slice(0, MAX_SHOWN_LENGTH + 1))))
  return shorten(JSON.stringify(value) ?? String(value))
}
