/** A JSON schema of the tools, in the dialect of the service (behaviour 17.3). */
export type ToolSchema = {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, ToolSchema>>
  readonly required?: readonly string[]
  readonly items?: ToolSchema
  readonly enum?: readonly string[]
  readonly format?: string
  readonly deprecated?: true
  readonly readOnly?: true
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, ToolSchema>>
  readonly 'x-google-enum-descriptions'?: readonly string[]
  readonly 'x-google-identifier'?: true
}

/** The value that a schema describes. A `$ref` is the value of that shape. */
export type ValueOf<S> = S extends { $ref: `#/$defs/${infer N extends keyof Shapes}` }
  ? ValueOf<Shapes[N]>
  : S extends { properties: infer P; required?: readonly (infer R)[] }
    ? { [N in keyof P as N extends R ? N : never]: ValueOf<P[N]> } & {
        [N in keyof P as N extends R ? never : N]?: ValueOf<P[N]>
      }
    : S extends { items: infer I }
      ? ValueOf<I>[]
      : S extends { type: infer T extends keyof Primitives }
        ? Primitives[T]
        : never
type Primitives = { string: string; boolean: boolean; integer: number }

const ofType = <const T extends keyof Primitives>(type: T, description: string) => ({ type, description })
export const text = (description: string) => ofType('string', description)
export const flag = (description: string) => ofType('boolean', description)
export const int32 = (description: string) => ({ ...ofType('integer', description), format: 'int32' })
export const list = <I extends ToolSchema>(items: I, description: string) => ({
  ...{ type: 'array' as const, items, description },
})
export const ref = <const N extends string>(name: N, description: string) => ({
  $ref: `#/$defs/${name}` as const,
  description,
})
export const deprecated = <S extends ToolSchema>(schema: S) => ({ ...schema, deprecated: true as const })
export const readOnly = <S extends ToolSchema>(schema: S) => ({ ...schema, readOnly: true as const })

/** `values` maps each value to its meaning. */
export const choice = (values: Readonly<Record<string, string>>, description: string) => ({
  type: 'string' as const,
  enum: Object.keys(values),
  'x-google-enum-descriptions': Object.values(values),
  description,
})

const EVENT_TYPES = {
  EVENT_TYPE_UNSPECIFIED: 'The same as DEFAULT.',
  DEFAULT: 'An ordinary event.',
  OUT_OF_OFFICE: 'A period out of office.',
  FOCUS_TIME: 'A period of focus time.',
  WORKING_LOCATION: 'The place of work for a period.',
  BIRTHDAY: 'A yearly all-day event.',
  FROM_GMAIL: 'An event that was made from a mail. It cannot be created.',
}
export const eventType = (description: string) => choice(EVENT_TYPES, description)

const AVAILABILITIES = {
  AVAILABILITY_UNSPECIFIED: 'The same as AVAILABILITY_BUSY.',
  AVAILABILITY_BUSY: 'The event blocks its time.',
  AVAILABILITY_FREE: 'The event does not block its time.',
}
export const availability = choice(AVAILABILITIES, 'Whether the event blocks its time.')

const NOTIFICATION_LEVELS = {
  NOTIFICATION_LEVEL_UNSPECIFIED: 'The same as ALL.',
  NONE: 'No guest gets mail.',
  EXTERNAL_ONLY: 'Only guests outside of the calendar service get mail.',
  ALL: 'All guests get mail.',
}
export const notificationLevel = choice(NOTIFICATION_LEVELS, 'Which guests get mail. The default is ALL.')

const LOCATION_TYPES = {
  WORKING_LOCATION_TYPE_UNSPECIFIED: 'The same as HOME_OFFICE.',
  HOME_OFFICE: 'At home.',
  CUSTOM_LOCATION: 'At the place that customLocationLabel names.',
}

export const object = <P extends Readonly<Record<string, ToolSchema>>, const R extends keyof P = never>(
  description: string,
  properties: P,
  required: readonly R[] = [],
): { type: 'object'; properties: P; required?: readonly R[]; description: string } => ({
  ...{ type: 'object', properties, ...(required.length > 0 && { required }), description },
})

const EVENT = object('An event of a calendar.', {
  attachments: list(ref('Attachment', 'A file.'), 'The attached files.'),
  attendees: list(ref('Attendee', 'A guest.'), 'The guests.'),
  availability,
  colorId: text('The colour, from 1 to 11.'),
  conferenceUrl: text('The address of the video call.'),
  created: readOnly(text('The time of creation, RFC 3339.')),
  creator: readOnly(ref('Principal', 'Who created the event.')),
  description: text('The description, which may contain HTML.'),
  end: ref('DateOrDateTime', 'The end, exclusive.'),
  eventType: eventType('The type of the event.'),
  guestPermissions: ref('GuestPermissions', 'What guests may do.'),
  htmlLink: readOnly(text('The address of the event in the web interface.')),
  id: text('The id.'),
  location: text('The place, as text.'),
  organizer: readOnly(ref('Principal', 'Who organizes the event.')),
  originalStartTime: ref('DateOrDateTime', 'Of an instance: the start that its series gives it.'),
  overrideReminders: list(ref('Reminder', 'A reminder.'), 'The reminders of the caller, in place of the defaults.'),
  recurrence: list({ type: 'string' }, 'RRULE, RDATE and EXDATE lines. A single event has none.'),
  recurringEventId: text('Of an instance: the id of its series.'),
  start: ref('DateOrDateTime', 'The start, inclusive.'),
  status: text('confirmed, tentative or cancelled.'),
  summary: text('The title.'),
  transparency: deprecated(text('opaque or transparent. Use availability.')),
  updated: readOnly(text('The time of the last change, RFC 3339.')),
  visibility: text('default, public or private.'),
  workingLocationProperties: ref('WorkingLocationProperties', 'The place of work.'),
})

/** The shared shapes, which schemas name with `$ref`. */
const SHAPES = {
  Attachment: object('A file that is attached to an event.', {
    fileUrl: text('The address of the file.'),
    title: text('The title of the file.'),
  }),
  Attendee: object('A guest of an event.', {
    additionalGuests: int32('How many more people the guest brings.'),
    comment: readOnly(text('The comment of the guest’s answer.')),
    displayName: text('The name.'),
    email: text('The e-mail address.'),
    id: readOnly(text('The id of the profile.')),
    optionalAttendee: flag('Whether the guest need not come.'),
    organizer: readOnly(flag('Whether the guest organizes the event.')),
    resource: flag('Whether this is a room or another resource. It can be set only when it is added.'),
    responseStatus: text('needsAction, declined, tentative or accepted.'),
    self: readOnly(flag('Whether this is the caller.')),
  }),
  CalendarListItem: object('A calendar of the caller’s list.', {
    description: readOnly(text('The description.')),
    id: { ...text('The id.'), 'x-google-identifier': true },
    summary: readOnly(text('The title.')),
    timeZone: readOnly(text('The time zone, an IANA name.')),
  }),
  DateOrDateTime: object('A day or an instant.', {
    date: text('Of an all-day event: midnight in UTC of the day, such as 2030-03-04T00:00:00Z.'),
    dateTime: text('Of any other event: the instant with its offset.'),
    timeZone: text('The time zone, an IANA name.'),
  }),
  Event: EVENT,
  GuestPermissions: object('What guests may do.', {
    guestsCanInviteOthers: flag('Whether guests may add guests.'),
    guestsCanModify: flag('Whether guests may change the event.'),
    guestsCanSeeGuests: flag('Whether guests see the other guests.'),
  }),
  Preferences: object('Limits for suggested periods.', {
    endHour: text('The end of the day, HH:mm.'),
    excludeWeekends: flag('Whether to leave out Saturdays and Sundays.'),
    pageSize: int32('The number of periods. The default is 5.'),
    startHour: text('The start of the day, HH:mm.'),
  }),
  Principal: object('A person.', {
    displayName: text('The name.'),
    email: text('The e-mail address.'),
    self: readOnly(flag('Whether this is the caller.')),
  }),
  Reminder: object('A reminder before the start.', {
    method: text('email or popup.'),
    minutes: int32('Minutes before the start.'),
  }),
  TimeSlot: object('A free period.', {
    durationMinutes: deprecated(int32('The length in minutes.')),
    end: ref('DateOrDateTime', 'The end.'),
    endTime: deprecated(text('The end. Use end.')),
    start: ref('DateOrDateTime', 'The start.'),
    startTime: deprecated(text('The start. Use start.')),
  }),
  WorkingLocationProperties: object('The place of work.', {
    customLocationLabel: text('The name of the place, for CUSTOM_LOCATION.'),
    type: choice(LOCATION_TYPES, 'The kind of place.'),
  }),
}

type Shapes = typeof SHAPES
export type ShapeValue<N extends keyof Shapes> = ValueOf<Shapes[N]>

const SHAPE_LIST = new Map<string, ToolSchema>(Object.entries(SHAPES))

function collectShapes({ $ref, items, properties = {} }: ToolSchema, found: Map<string, ToolSchema>): void {
  const name = $ref?.slice('#/$defs/'.length)
  const shape = name === undefined ? undefined : SHAPE_LIST.get(name)
  if (name !== undefined && shape && !found.has(name)) {
    found.set(name, shape)
    collectShapes(shape, found)
  }
  for (const part of [items, ...Object.values(properties)]) if (part) collectShapes(part, found)
}

/** Adds the shapes that a schema names as its `$defs`. */
export function withShapes<S extends ToolSchema>(schema: S): S {
  const found = new Map<string, ToolSchema>()
  collectShapes(schema, found)
  const sorted = [...found].sort(([one], [other]) => (one < other ? -1 : 1))
  return sorted.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(sorted) }
}

export const EVENT_OUTPUT: ToolSchema = withShapes(EVENT)
