import type { Event } from '../../schema/event.ts'
import { without } from '../../schema/values/json.ts'
import { toShown } from '../../schema/values/shownText.ts'
import type { ShapeValue } from '../definitions/shapes.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { EVENT_TYPES } from '../eventView.ts'
import { type RestParams, ToolError, type ToolHost } from '../host.ts'

type GivenAttendee = ShapeValue<'Attendee'>
/** The arguments that `create_event` and `update_event` share. */
type ContentArguments = ToolArguments<'create_event'> | ToolArguments<'update_event'>

/** Arguments that are not given have no field. `before` is the event that a tool changes. */
export function toContentBody(host: ToolHost, args: ContentArguments, before?: Event): Record<string, unknown> {
  const { summary, description, location, colorId, visibility, availability, guestPermissions: guests } = args
  return withoutUndefined({
    ...{ summary, description, location, colorId, visibility },
    transparency: availability && (availability === 'AVAILABILITY_FREE' ? 'transparent' : 'opaque'),
    guestsCanInviteOthers: guests?.guestsCanInviteOthers,
    guestsCanModify: guests?.guestsCanModify,
    guestsCanSeeOtherGuests: guests?.guestsCanSeeGuests,
    reminders: toReminders(args),
    conferenceData: toConference(host, args, before),
  })
}

export const withoutUndefined = (body: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))

const METHODS = ['email', 'popup']

/** Returns the reminders of an event: the defaults, or others in their place (behaviour 17.7.3). */
function toReminders({ overrideReminders, useDefaultReminders }: ContentArguments): object | undefined {
  const overrides = overrideReminders ?? []
  const wrong = overrides.findIndex(({ method = '' }) => !METHODS.includes(method))
  if (wrong >= 0) {
    const given = toShown(overrides[wrong]?.method ?? '')
    throw new ToolError(`Invalid value at 'overrideReminders[${wrong}].method' (TYPE_STRING), ${given}`)
  }
  if (useDefaultReminders && overrides.length > 0)
    throw new ToolError('useDefaultReminders cannot be true together with overrideReminders.')
  if (useDefaultReminders) return { useDefault: true, overrides: null }
  if (overrides.length === 0 && useDefaultReminders === undefined) return undefined
  return { useDefault: false, overrides }
}

const MEETING = /^(?:(?:https?:\/\/)?meet\.google\.com\/)?([a-z]{3}-[a-z]{4}-[a-z]{3})(?:[/?#].*)?$/i

/** Returns the video call: that of an address or a meeting id, else a new one unless the event has one (behaviour 17.7.5). */
function toConference({ callNumber }: ToolHost, args: ContentArguments, before: Event | undefined): object | undefined {
  const { addGoogleMeetUrl, googleMeetUrl } = args
  if (googleMeetUrl) {
    const code = MEETING.exec(googleMeetUrl.trim())?.[1]?.toLowerCase()
    if (code === undefined)
      throw new ToolError(`Invalid value at 'googleMeetUrl' (TYPE_STRING), ${toShown(googleMeetUrl)}`)
    return {
      ...(before?.conferenceData && { createRequest: null, signature: null }),
      conferenceSolution: { key: { type: 'hangoutsMeet' } },
      conferenceId: code,
      entryPoints: [{ entryPointType: 'video', uri: `https://meet.google.com/${code}` }],
    }
  }
  if (!addGoogleMeetUrl || hasConference(before)) return undefined
  return { createRequest: { requestId: `mcp-${callNumber}`, conferenceSolutionKey: { type: 'hangoutsMeet' } } }
}

const hasPendingConference = ({ conferenceData }: Event): boolean =>
  conferenceData?.createRequest?.status?.statusCode === 'pending'

const hasConference = (event: Event | undefined): boolean =>
  event !== undefined && (hasPendingConference(event) || event.conferenceData?.entryPoints !== undefined)

/** Reads a written event again while its conference is pending: by default the next request completes it (behaviour 14.30). */
export const withConference = async (host: ToolHost, params: RestParams, written: Event): Promise<Event> =>
  hasPendingConference(written) ? host.callRest<Event>('events.get', { ...params, eventId: written.id }) : written

/** Returns the parameters of a write: who gets mail (behaviour 17.7.1), and that conferences and attachments are written. */
export const toWriteParams = ({ notificationLevel }: ContentArguments) => ({
  sendUpdates: toSendUpdates(notificationLevel),
  conferenceDataVersion: 1,
  supportsAttachments: true,
})

export const toSendUpdates = (level: string | undefined): string =>
  level === 'NONE' ? 'none' : level === 'EXTERNAL_ONLY' ? 'externalOnly' : 'all'

/** Leaves out the fields that the tools only return. */
export function toRestAttendee({ email, optionalAttendee: optional, ...given }: GivenAttendee): { email: string } {
  if (!email) throw new ToolError('Missing required field: attendees.email')
  const { displayName, resource, additionalGuests, responseStatus } = given
  return { email, ...withoutUndefined({ displayName, optional, resource, additionalGuests, responseStatus }) }
}

/** Each guest once: addresses are equal in any case, and a later one adds what it has. */
export function joinAttendees(given: readonly GivenAttendee[] = [], emails: readonly string[] = []) {
  const guests = new Map<string, { email: string }>()
  for (const guest of [...emails.map((email) => ({ email })), ...given].map(toRestAttendee)) {
    const key = guest.email.toLowerCase()
    guests.set(key, { ...guest, ...guests.get(key), ...without(guest, 'email') })
  }
  return [...guests.values()]
}

/** The fields that REST needs with a type, for which the texts of the tool ask nothing (behaviour 17.7.5). */
const TYPE_FIELDS: Readonly<Record<string, object>> = {
  OUT_OF_OFFICE: { outOfOfficeProperties: {} },
  FOCUS_TIME: { focusTimeProperties: {} },
  WORKING_LOCATION: {
    ...{ visibility: 'public', transparency: 'transparent' },
    workingLocationProperties: { type: 'homeOffice', homeOffice: {} },
  },
  BIRTHDAY: { visibility: 'private', transparency: 'transparent' },
}

/** Returns the event type of REST with the fields that it needs. Throws a ToolError for FROM_GMAIL, which cannot be created. */
export function toEventType(name: string | undefined): object {
  if (name === undefined || name === 'EVENT_TYPE_UNSPECIFIED') return {}
  if (name === 'FROM_GMAIL') throw new ToolError('Events of type FROM_GMAIL cannot be created.')
  return { eventType: EVENT_TYPES.get(name), ...TYPE_FIELDS[name] }
}
