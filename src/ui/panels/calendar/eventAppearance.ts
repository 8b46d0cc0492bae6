import type { EventColors } from '../../account.ts'
import { isWritable } from '../../account.ts'
import type { CalendarEntry, HistoricChange, ServiceEvent } from '../../api/types.ts'
import type { IconName } from '../../components/Icon.tsx'
import { addMs, DAY_MS, eventWallTime, isWholeDay, wallToMs } from '../../time/wallTime.ts'
import { displayColor } from './displayColor.ts'

/** `text` is read by screen readers. */
export const TRAITS = {
  recurring: { text: 'recurring', icon: 'repeat' },
  private: { text: 'private', icon: 'lock' },
  locked: { text: 'locked', icon: 'lock' },
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
  changed: { text: 'changed by the request', icon: 'edit' },
} as const satisfies Record<string, { text: string; icon?: IconName }>
type Trait = keyof typeof TRAITS

const isTrait = (name: string): name is Trait => Object.hasOwn(TRAITS, name)

/** The response is that of the account itself, if it is a guest. */
export function traitsOf(event: ServiceEvent): Trait[] {
  const { recurringEventId, recurrence, visibility, status, eventType, attendees, hangoutLink, conferenceData } = event
  const response = attendees?.find(({ self }) => self)?.responseStatus
  const traits: Trait[] = []
  if (eventType !== undefined && isTrait(eventType)) traits.push(eventType)
  if (recurringEventId !== undefined || recurrence !== undefined) traits.push('recurring')
  if (visibility === 'private' || visibility === 'confidential') traits.push('private')
  if (event.locked) traits.push('locked')
  if (response === 'declined') traits.push('declined')
  else if (status === 'tentative' || response === 'tentative') traits.push('tentative')
  else if (response === 'needsAction') traits.push('unanswered')
  if (hangoutLink || conferenceData?.entryPoints?.some(({ entryPointType }) => entryPointType === 'video'))
    traits.push('meet')
  if (event.attachments?.length) traits.push('attachments')
  return traits
}

export function titleOf({ summary, eventType, workingLocationProperties: place, visibility }: ServiceEvent): string {
  if (summary) return summary
  if (eventType === 'workingLocation')
    return (
      place?.customLocation?.label ?? place?.officeLocation?.label ?? (place?.type === 'homeOffice' ? 'Home' : 'Office')
    )
  return visibility === 'private' ? 'busy' : '(No title)'
}

/** `location: none → "Room 1"` for each changed field, with a separator after its name. */
export const formatFieldChanges = (fields: HistoricChange['fields'], separator: string): string[] =>
  Object.entries(fields).map(([name, values]) => {
    const [was, is] = values.map((value) => (value === null ? 'none' : JSON.stringify(value)))
    return `${name}${separator}${was} → ${is}`
  })

/** `start` and `end` are local times of the page's zone, in milliseconds. */
export type GridEvent = {
  /** `<calendarId>/<eventId>` */
  key: string
  calendarId: string
  event: ServiceEvent
  title: string
  start: number
  end: number
  allDay: boolean
  color: string
  traits: readonly Trait[]
  isEditable: boolean
}

/** Events without times are left out. */
export function toGridEvents(
  entry: CalendarEntry,
  events: readonly ServiceEvent[],
  { colors, zone }: { colors: EventColors; zone: string },
): GridEvent[] {
  const canWrite = isWritable(entry)
  return events.flatMap((event) => {
    const { start, end, colorId } = event
    if (!start || !end) return []
    const allDay = isWholeDay(start)
    const from = eventWallTime(start, zone)
    const until = allDay ? (end.date ?? addMs(from, DAY_MS)) : eventWallTime(end, zone)
    const color = (colorId === undefined ? undefined : colors[colorId])?.background ?? entry.backgroundColor
    return {
      key: `${entry.id}/${event.id}`,
      calendarId: entry.id,
      event,
      title: titleOf(event),
      // The local end may be before the local start around a clock change.
      ...{ start: wallToMs(from), end: Math.max(wallToMs(until), wallToMs(from)) },
      allDay,
      color: displayColor(color),
      traits: traitsOf(event),
      isEditable: canWrite && event.eventType !== 'birthday' && !event.locked,
    }
  })
}

/** A guest may have moved the own copy. */
const copyKey = ({ key, event: { iCalUID }, start, end }: GridEvent): string =>
  iCalUID === undefined ? key : `${iCalUID} ${start} ${end}`

/** The copy on the calendar `ownId` is kept, else one that can be dragged, else the first. */
export function mergeCopies(items: readonly GridEvent[], ownId: string | undefined): GridEvent[] {
  const merged = new Map<string, GridEvent>()
  const rank = ({ calendarId, isEditable }: GridEvent) => Number(calendarId === ownId) * 2 + Number(isEditable)
  for (const item of items) {
    const known = merged.get(copyKey(item))
    if (!known || rank(known) < rank(item)) merged.set(copyKey(item), item)
  }
  return [...merged.values()]
}
