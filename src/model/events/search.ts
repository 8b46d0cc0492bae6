import type { Event } from '../../schema/event.ts'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** All words of `q`, in any case and order, and what has no word as it is, such as `!!!` (behaviour 1.17). */
export function createMatcher(q: string): (event: Partial<Event>) => boolean {
  const searched = wordsOf(q)
  const signs = q.split(/\s+/).filter((term) => term !== '' && wordsOf(term).length === 0)
  return (event) => {
    const text = searchableText(event)
    const words = new Set(wordsOf(text))
    return searched.every((word) => words.has(word)) && signs.every((term) => text.includes(term))
  }
}

const searchableText = ({
  summary,
  description,
  location,
  organizer,
  attendees,
  workingLocationProperties: place,
}: Partial<Event>): string =>
  [
    summary,
    description,
    location,
    ...[organizer, ...(attendees ?? [])].flatMap((person) => [person?.displayName, person?.email]),
    place?.customLocation?.label,
    place?.officeLocation?.label,
    place?.officeLocation?.buildingId,
    place?.officeLocation?.deskId,
  ]
    .filter(Boolean)
    .join(' ')
