import type { Event } from '../../schema/event.ts'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** All words of `q`, in any case and order (behaviour 1.17). */
export function createMatcher(q: string): (event: Partial<Event>) => boolean {
  const searched = wordsOf(q)
  return (event) => {
    const words = new Set(wordsOf(textOf(event)))
    return searched.every((word) => words.has(word))
  }
}

const textOf = ({
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
