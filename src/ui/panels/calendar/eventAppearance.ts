import type { EventColors } from '../../account.ts'
import { isWritable } from '../../account.ts'
import type { CalendarEntry, ServiceEvent } from '../../api/types.ts'
import type { IconName } from '../../components/Icon.tsx'
import { addMs, DAY_MS, eventWallTime, isDate, wallToMs } from '../../time/wallTime.ts'

/** Properties of an event that a person has to recognize, as words for screen readers. Some also have an icon. */
export const TRAITS = {
  recurring: { text: 'recurring', icon: 'repeat' },
  private: { text: 'private', icon: 'lock' },
  declined: { text: 'declined' },
  tentative: { text: 'tentative' },
  unanswered: { text: 'not answered yet' },
  workingLocation: { text: 'working location', icon: 'pin' },
  outOfOffice: { text: 'out of office', icon: 'away' },
  focusTime: { text: 'focus time', icon: 'focus' },
  birthday: { text: 'birthday', icon: 'gift' },
  fromGmail: { text: 'from Gmail' },
  meet: { text: 'with a video call', icon: 'video' },
  attachments: { text: 'with attachments', icon: 'paperclip' },
} as const satisfies Record<string, { text: string; icon?: IconName }>
export type Trait = keyof typeof TRAITS

const isTrait = (name: string): name is Trait => Object.hasOwn(TRAITS, name)

export function traitsOf(event: ServiceEvent): Trait[] {
  const { recurringEventId, recurrence, visibility, status, eventType, attendees, hangoutLink, conferenceData } = event
  const response = attendees?.find(({ self }) => self)?.responseStatus
  const traits: Trait[] = []
  if (eventType !== undefined && isTrait(eventType)) traits.push(eventType)
  if (recurringEventId !== undefined || recurrence !== undefined) traits.push('recurring')
  if (visibility === 'private' || visibility === 'confidential') traits.push('private')
  if (response === 'declined') traits.push('declined')
  else if (status === 'tentative' || response === 'tentative') traits.push('tentative')
  else if (response === 'needsAction') traits.push('unanswered')
  if (hangoutLink || conferenceData?.entryPoints?.some(({ entryPointType }) => entryPointType === 'video'))
    traits.push('meet')
  if (event.attachments?.length) traits.push('attachments')
  return traits
}

/** Returns the title of an event. The title of another account's private event is "busy". */
export function titleOf({ summary, eventType, workingLocationProperties: place, visibility }: ServiceEvent): string {
  if (summary) return summary
  if (eventType === 'workingLocation')
    return (
      place?.customLocation?.label ?? place?.officeLocation?.label ?? (place?.type === 'homeOffice' ? 'Home' : 'Office')
    )
  return visibility === 'private' ? 'busy' : '(No title)'
}

/** The relative luminance above which black text has the better contrast (WCAG 2, 1.4.3). */
const DARK_LUMINANCE = 0.179

/** Returns black or white, whichever is easier to read on a color. The service's own text color often has little contrast. */
const inkOn = (background: string): string => (luminance(background) > DARK_LUMINANCE ? '#000000' : '#ffffff')

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** An event as the views draw it. `start` and `end` are local times of the page's zone, in milliseconds. */
export type GridEvent = {
  key: string
  calendarId: string
  event: ServiceEvent
  title: string
  start: number
  end: number
  allDay: boolean
  background: string
  ink: string
  traits: readonly Trait[]
  isEditable: boolean
}

const DEFAULT_COLOR = '#4285f4'

/** Returns the events of a calendar as the views draw them. Events without times are left out. */
export function toGridEvents(
  entry: CalendarEntry,
  events: readonly ServiceEvent[],
  { colors, zone }: { colors: EventColors; zone: string },
): GridEvent[] {
  const canWrite = isWritable(entry)
  return events.flatMap((event) => {
    const { start, end, colorId } = event
    if (!start || !end) return []
    const allDay = isDate(start)
    const from = eventWallTime(start, zone)
    const until = allDay ? (end.date ?? addMs(from, DAY_MS)) : eventWallTime(end, zone)
    const background =
      (colorId === undefined ? undefined : colors[colorId])?.background ?? entry.backgroundColor ?? DEFAULT_COLOR
    return {
      key: `${entry.id}/${event.id}`,
      calendarId: entry.id,
      event,
      title: titleOf(event),
      // Around a clock change the local end may be before the local start.
      ...{ start: wallToMs(from), end: Math.max(wallToMs(until), wallToMs(from)) },
      allDay,
      ...{ background, ink: inkOn(background) },
      traits: traitsOf(event),
      isEditable: canWrite && event.eventType !== 'birthday',
    }
  })
}
