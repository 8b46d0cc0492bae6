/** Smallest edit distance, ignoring case; of equal distances the first. Only the first 100 characters of `text` count. */
export function findNearest(text: string, known: readonly string[]): string | undefined {
  const distances = known.map((one) => ({ one, edits: distance(text.slice(0, 100).toLowerCase(), one.toLowerCase()) }))
  return distances.sort((a, b) => a.edits - b.edits)[0]?.one
}

/** Each row holds the distances of one prefix of `a` to all prefixes of `b`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= b.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === b[at - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
