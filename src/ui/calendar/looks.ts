import type { EventInput } from 'fullcalendar'
import type { Entry, Shown } from './service.ts'
import { type Colours, isWritable } from './state.ts'

/** What a person is to recognise in an event, in words; each also has a sign or a look of its own. */
export const SIGNS = {
  recurring: 'recurring',
  private: 'private',
  declined: 'declined',
  tentative: 'tentative',
  unanswered: 'not answered yet',
  workingLocation: 'working location',
  outOfOffice: 'out of office',
  focusTime: 'focus time',
  birthday: 'birthday',
  fromGmail: 'from Gmail',
  meet: 'with a video call',
  attachments: 'with attachments',
} as const
export type Sign = keyof typeof SIGNS

const isSign = (name: string): name is Sign => Object.hasOwn(SIGNS, name)

export function signsOf(event: Shown): Sign[] {
  const { recurringEventId, recurrence, visibility, status, eventType, attendees, hangoutLink, conferenceData } = event
  const answer = attendees?.find(({ self }) => self)?.responseStatus
  const signs: Sign[] = []
  if (eventType !== undefined && isSign(eventType)) signs.push(eventType)
  if (recurringEventId !== undefined || recurrence !== undefined) signs.push('recurring')
  if (visibility === 'private' || visibility === 'confidential') signs.push('private')
  if (answer === 'declined') signs.push('declined')
  else if (status === 'tentative' || answer === 'tentative') signs.push('tentative')
  else if (answer === 'needsAction') signs.push('unanswered')
  if (hangoutLink || conferenceData?.entryPoints?.some(({ entryPointType }) => entryPointType === 'video'))
    signs.push('meet')
  if (event.attachments?.length) signs.push('attachments')
  return signs
}

/** What an event is called: one whose details are kept back is busy. */
export function titleOf({ summary, eventType, workingLocationProperties: where, visibility }: Shown): string {
  if (summary) return summary
  if (eventType === 'workingLocation')
    return (
      where?.customLocation?.label ?? where?.officeLocation?.label ?? (where?.type === 'homeOffice' ? 'Home' : 'Office')
    )
  return visibility === 'private' ? 'busy' : '(No title)'
}

const inks = new Map<string, string>()

/** What is read best on a colour. The service's own ink is the same for all, and on some colours hard to read. */
function inkOn(background: string): string {
  const known = inks.get(background)
  if (known) return known
  const ink = brightness(background) > DARK ? '#000000' : '#ffffff'
  inks.set(background, ink)
  return ink
}

/** Up to which black is the weaker contrast (WCAG 2, 1.4.3). */
const DARK = 0.179

function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** What the grid keeps beside an event. */
export type Beside = { calendarId: string; event: Shown; signs: readonly Sign[] }

export const keyOf = (calendarId: string, eventId: string): string => `${calendarId}/${eventId}`

/** Events of a calendar as the grid takes them: in their own colour, or that of the calendar on the account's list. */
export function inGrid(entry: Entry, events: readonly Shown[], colours: Colours): EventInput[] {
  const editable = isWritable(entry)
  return events.flatMap((event) => {
    const { start, end, colorId } = event
    if (!start || !end) return []
    const background = (colorId === undefined ? undefined : colours[colorId])?.background ?? entry.backgroundColor ?? ''
    const signs = signsOf(event)
    const beside: Beside = { calendarId: entry.id, event, signs }
    return {
      id: keyOf(entry.id, event.id),
      title: titleOf(event),
      start: start.date ?? start.dateTime ?? '',
      end: end.date ?? end.dateTime ?? '',
      allDay: start.date !== undefined,
      color: background,
      contrastColor: inkOn(background),
      className: ['event', ...signs].join(' '),
      editable: editable && event.eventType !== 'birthday',
      extendedProps: beside,
    }
  })
}
