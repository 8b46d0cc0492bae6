import type { Event } from '../wire/event.ts'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** A free-text query finds an event whose fields hold every word of it, in any case and order (behaviour 1.17). */
export function createMatcher(q: string): (event: Partial<Event>) => boolean {
  const wanted = wordsOf(q)
  return (event) => {
    const said = new Set(wordsOf(textOf(event)))
    return wanted.every((word) => said.has(word))
  }
}

/** The fields that a query looks at: not the extended properties. */
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
