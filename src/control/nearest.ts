/** How many letters have to be put in, left out or changed to make one text of another. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [to, wanted] of [...other].entries()) {
      next.push(Math.min((next[to] ?? 0) + 1, (row[to + 1] ?? 0) + 1, (row[to] ?? 0) + (letter === wanted ? 0 : 1)))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** Of several texts the one that was most likely meant; of those equally near the first. */
export const nearest = (asked: string, texts: readonly string[]): string | undefined =>
  texts
    .map((text) => ({ text, far: distance(asked.slice(0, 100).toLowerCase(), text.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)[0]?.text
