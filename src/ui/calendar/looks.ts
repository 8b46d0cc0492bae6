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

/** What the grid keeps beside an event. */
export type Beside = { calendarId: string; event: Shown; signs: readonly Sign[] }

export const keyOf = (calendarId: string, eventId: string): string => `${calendarId}/${eventId}`

/** Events of a calendar as the grid takes them: in their own colour, or that of the calendar on the account's list. */
export function inGrid(entry: Entry, events: readonly Shown[], colours: Colours): EventInput[] {
  const editable = isWritable(entry)
  return events.flatMap((event) => {
    const { start, end, colorId } = event
    if (!start || !end) return []
    const colour = colorId === undefined ? undefined : colours[colorId]
    const signs = signsOf(event)
    const beside: Beside = { calendarId: entry.id, event, signs }
    return {
      id: keyOf(entry.id, event.id),
      title: titleOf(event),
      start: start.date ?? start.dateTime ?? '',
      end: end.date ?? end.dateTime ?? '',
      allDay: start.date !== undefined,
      color: colour?.background ?? entry.backgroundColor ?? '',
      contrastColor: colour?.foreground ?? entry.foregroundColor ?? '',
      className: ['event', ...signs].join(' '),
      editable: editable && event.eventType !== 'birthday',
      extendedProps: beside,
    }
  })
}
