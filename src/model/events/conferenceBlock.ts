/** The line before and after the block that the service itself adds to descriptions. Shorter ones are text (behaviour 3.2.19). */
const DELIMITER = /-::~:~::~:~:[~:]*::~:~::-/g

/**
 * Returns a description without the blocks between two delimiters, and without an HTML element that contained nothing else. Returns
 * the same text if it has none, and undefined if nothing is left.
 */
export function withoutConferenceBlocks(description: string): string | undefined {
  const delimiters = [...description.matchAll(DELIMITER)]
  let rest = ''
  let end = 0
  for (let at = 0; at + 1 < delimiters.length; at += 2) {
    const [first, last] = [delimiters[at], delimiters[at + 1]]
    if (!first || !last) break
    const before = description.slice(end, first.index)
    end = last.index + last[0].length
    const [opening, tag] = /<([a-z][\w-]*)(?:\s[^<>]*)?>\s*$/i.exec(before) ?? []
    const [closing = ''] = tag ? (new RegExp(`^\\s*</${tag}\\s*>`, 'i').exec(description.slice(end)) ?? []) : []
    rest += opening && closing ? before.slice(0, -opening.length) : before
    end += closing.length
  }
  if (end === 0) return description
  rest += description.slice(end)
  return rest.trim() === '' ? undefined : rest
}
