import type { ShapeValue } from '../definitions/shapes.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { EVENT_TYPES } from '../eventView.ts'
import { ToolError, type ToolHost } from '../host.ts'

type GivenAttendee = ShapeValue<'Attendee'>
/** The arguments that `create_event` and `update_event` share. */
type ContentArguments = ToolArguments<'create_event'> | ToolArguments<'update_event'>

/** Arguments that are not given have no field. */
export function toContentBody(host: ToolHost, args: ContentArguments): Record<string, unknown> {
  const { summary, description, location, colorId, visibility, availability, guestPermissions: guests } = args
  const body = {
    ...{ summary, description, location, colorId, visibility },
    transparency: availability && (availability === 'AVAILABILITY_FREE' ? 'transparent' : 'opaque'),
    guestsCanInviteOthers: guests?.guestsCanInviteOthers,
    guestsCanModify: guests?.guestsCanModify,
    guestsCanSeeOtherGuests: guests?.guestsCanSeeGuests,
    reminders: toReminders(args),
    conferenceData: toConference(host, args),
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

/** Returns the reminders of an event: the defaults, or others in their place (behaviour 17.7.3). */
function toReminders({ overrideReminders, useDefaultReminders }: ContentArguments): object | undefined {
  const overrides = overrideReminders ?? []
  if (useDefaultReminders && overrides.length > 0)
    throw new ToolError('useDefaultReminders cannot be true together with overrideReminders.')
  if (useDefaultReminders) return { useDefault: true, overrides: null }
  if (overrides.length === 0 && useDefaultReminders === undefined) return undefined
  return { useDefault: false, overrides }
}

function toConference({ callNumber }: ToolHost, { addGoogleMeetUrl, googleMeetUrl }: ContentArguments) {
  if (googleMeetUrl)
    return {
      conferenceSolution: { key: { type: 'addOn' }, name: 'Google Meet' },
      entryPoints: [{ entryPointType: 'video', uri: googleMeetUrl }],
    }
  if (!addGoogleMeetUrl) return undefined
  return { createRequest: { requestId: `mcp-${callNumber}`, conferenceSolutionKey: { type: 'hangoutsMeet' } } }
}

/** Returns the parameters of a write: who gets mail (behaviour 17.7.1), and that conferences and attachments are written. */
export const toWriteParams = ({ notificationLevel }: ContentArguments) => ({
  sendUpdates: toSendUpdates(notificationLevel),
  conferenceDataVersion: 1,
  supportsAttachments: true,
})

export const toSendUpdates = (level: string | undefined): string =>
  level === 'NONE' ? 'none' : level === 'EXTERNAL_ONLY' ? 'externalOnly' : 'all'

/** Without the fields that the tools only return. */
export function toRestAttendee({ email, optionalAttendee: optional, ...given }: GivenAttendee): { email: string } {
  if (!email) throw new ToolError('Missing required field: attendees.email')
  const { displayName, resource, additionalGuests, responseStatus } = given
  const others = { displayName, optional, resource, additionalGuests, responseStatus }
  return { email, ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) }
}

/** Each guest once. */
export const joinAttendees = (given: readonly GivenAttendee[] = [], emails: readonly string[] = []) => [
  ...new Map(
    [...emails.map((email) => ({ email })), ...given].map(toRestAttendee).map((one) => [one.email, one]),
  ).values(),
]

/**
 * Returns the event type of REST, and the properties that REST needs with it, for which there is no argument. Throws a
 * ToolError for FROM_GMAIL, which cannot be created.
 */
export function toEventType(name: string | undefined): object {
  if (name === undefined || name === 'EVENT_TYPE_UNSPECIFIED') return {}
  if (name === 'FROM_GMAIL') throw new ToolError('Events of type FROM_GMAIL cannot be created.')
  const eventType = EVENT_TYPES.get(name)
  if (name === 'OUT_OF_OFFICE' || name === 'FOCUS_TIME') return { eventType, [`${eventType}Properties`]: {} }
  return { eventType }
}
