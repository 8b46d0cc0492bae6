const NAME = 'batch_calendar_v3'
const DIGITS = 8

/** The default is `batch_calendar_v3`. Numbers have one length, so that no boundary is a prefix of another. */
export function chooseBoundary(parts: readonly Buffer[]): string {
  const named = parts.map((part) => findOffsets(part))
  if (named.every((places) => places.length === 0)) return NAME
  const usedNumbers = new Set(parts.flatMap((part, at) => (named[at] ?? []).map((place) => readNumberAt(part, place))))
  let number = 1
  while (usedNumbers.has(formatNumber(number))) number++
  return `${NAME}_${formatNumber(number)}`
}

const formatNumber = (number: number): string => String(number).padStart(DIGITS, '0')

function findOffsets(part: Buffer): number[] {
  const places: number[] = []
  for (let at = part.indexOf(NAME, 0, 'latin1'); at >= 0; at = part.indexOf(NAME, at + NAME.length, 'latin1'))
    places.push(at)
  return places
}

const readNumberAt = (part: Buffer, place: number): string => {
  const from = place + NAME.length + 1
  return part.toString('latin1', from, from + DIGITS)
}
