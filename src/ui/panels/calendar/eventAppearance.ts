import type { EventColors } from '../../account.ts'
import { isWritable } from '../../account.ts'
import type { CalendarEntry, ServiceEvent } from '../../api/types.ts'
import type { IconName } from '../../components/Icon.tsx'
import { addMs, DAY_MS, eventWallTime, isDate, wallToMs } from '../../time/wallTime.ts'

/** Properties of an event that the views mark. `text` is read by screen readers; some also have an icon. */
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

/** Returns true for the name of a trait. */
const isTrait = (name: string): name is Trait => Object.hasOwn(TRAITS, name)

/** Returns the traits of an event. The response is that of the account itself, if it is a guest. */
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

/**
 * Returns the title of an event. Without a summary it is the place of a working location, `busy` for a private event whose
 * details are hidden, and otherwise `(No title)`.
 */
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

/**
 * Returns black or white, whichever has the better contrast on a color `#rrggbb`. The text colors of the service often have
 * too little.
 */
const chooseInk = (background: string): string =>
  computeLuminance(background) > DARK_LUMINANCE ? '#000000' : '#ffffff'

/** Returns the relative luminance of a color `#rrggbb`, from 0 (black) to 1 (white), as WCAG 2 defines it. */
function computeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** An event as the views draw it. `start` and `end` are local times of the page's zone, in milliseconds. */
export type GridEvent = {
  /** `<calendarId>/<eventId>`. */
  key: string
  calendarId: string
  event: ServiceEvent
  title: string
  start: number
  end: number
  allDay: boolean
  background: string
  /** The color of text on the background. */
  ink: string
  traits: readonly Trait[]
  /** True if the event can be dragged. */
  isEditable: boolean
}

const DEFAULT_COLOR = '#4285f4'

/**
 * Converts events of a calendar to those that the views draw, with local times of `zone`. Events without times are left out.
 * The color is that of the event, else of the calendar.
 */
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
      ...{ background, ink: chooseInk(background) },
      traits: traitsOf(event),
      isEditable: canWrite && event.eventType !== 'birthday',
    }
  })
}
