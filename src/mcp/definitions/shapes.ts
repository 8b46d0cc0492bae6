/** A JSON schema of the tools, in the dialect of the service (behaviour 17.3). */
export type ToolSchema = {
  readonly type?: 'string' | 'boolean' | 'object' | 'array' | 'integer'
  readonly description?: string
  readonly properties?: Readonly<Record<string, ToolSchema>>
  readonly required?: readonly string[]
  readonly items?: ToolSchema
  readonly enum?: readonly string[]
  readonly format?: 'int32' | 'int64' | 'date' | 'date-time'
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
export const int32 = (description: string) => ({ ...ofType('integer', description), format: 'int32' as const })
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
  EVENT_TYPE_UNSPECIFIED: 'No type is given: the same as DEFAULT.',
  DEFAULT: 'An ordinary event, such as a meeting.',
  OUT_OF_OFFICE: 'A period in which the user is out of office. Invitations may be declined.',
  FOCUS_TIME: 'A period of focused work, without meetings.',
  WORKING_LOCATION: 'The place at which the user works, for a day or a period.',
  BIRTHDAY: 'A birthday or another anniversary: one whole day, every year.',
  FROM_GMAIL: 'An event that was made from a mail, such as a flight. It cannot be created.',
}
export const eventType = (description: string) => choice(EVENT_TYPES, description)

const AVAILABILITIES = {
  AVAILABILITY_UNSPECIFIED: 'No availability is given: the same as AVAILABILITY_BUSY.',
  AVAILABILITY_BUSY: 'The user is busy: the event blocks its time.',
  AVAILABILITY_FREE: 'The user is free: the event does not block its time.',
}
export const availability = choice(
  AVAILABILITIES,
  'Whether the user counts as busy during the event. The default is AVAILABILITY_BUSY.',
)

const NOTIFICATION_LEVELS = {
  NOTIFICATION_LEVEL_UNSPECIFIED: 'No level is given: the same as ALL.',
  NONE: 'Nobody is notified.',
  EXTERNAL_ONLY: 'Only guests who do not use this calendar service are notified.',
  ALL: 'All guests are notified.',
}
export const notificationLevel = choice(
  NOTIFICATION_LEVELS,
  'Which guests are notified by mail. The default is ALL. Set NONE if the user wants nobody to be notified.',
)

const LOCATION_TYPES = {
  WORKING_LOCATION_TYPE_UNSPECIFIED: 'No kind is given: the same as HOME_OFFICE.',
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
  attachments: list(ref('Attachment', 'A file.'), 'The files that are attached to the event.'),
  attendees: list(ref('Attendee', 'A guest.'), 'The guests, with their answers. Absent for an event without guests.'),
  availability,
  colorId: text('The colour of the event: a number from 1 to 11, as text. Absent for the colour of the calendar.'),
  conferenceUrl: text('The address at which to join the video call of the event.'),
  created: readOnly(text('The time at which the event was created, in RFC 3339.')),
  creator: readOnly(ref('Principal', 'The person who created the event.')),
  description: text('The description. It may contain HTML.'),
  end: ref('DateOrDateTime', 'The end, exclusive: of an event of one whole day it is the next day.'),
  eventType: eventType('The type of the event.'),
  guestPermissions: ref('GuestPermissions', 'What guests may do, where it differs from the default.'),
  htmlLink: readOnly(text('The address at which the user opens the event in the web interface.')),
  id: text('The id of the event, by which the other tools name it.'),
  location: text('The place, as free text.'),
  organizer: readOnly(ref('Principal', 'The person or the calendar that organizes the event.')),
  originalStartTime: ref(
    'DateOrDateTime',
    'Of an instance of a series: the start that its series gives it, also after the instance was moved.',
  ),
  overrideReminders: list(
    ref('Reminder', 'A reminder.'),
    'The reminders of the user for this event, in place of the defaults of the calendar.',
  ),
  recurrence: list(
    { type: 'string' },
    'Of a series: its lines RRULE, RDATE and EXDATE of RFC 5545. A single event and an instance have none.',
  ),
  recurringEventId: text('Of an instance of a series: the id of the series, which stands for all instances.'),
  start: ref('DateOrDateTime', 'The start, inclusive. Of a series it is the start of the first instance.'),
  status: text('The status: confirmed, tentative or cancelled. A deleted event is cancelled.'),
  summary: text('The title.'),
  transparency: deprecated(text('Whether the event blocks its time, as opaque or transparent. Use availability.')),
  updated: readOnly(text('The time of the last change of the event, in RFC 3339.')),
  visibility: text('Who sees the details of the event: default, public or private.'),
  workingLocationProperties: ref(
    'WorkingLocationProperties',
    'The place of work, of an event of type WORKING_LOCATION.',
  ),
})

/** The shared shapes, which schemas name with `$ref`. */
const SHAPES = {
  Attachment: object('A file that is attached to an event.', {
    fileUrl: text('The URL of the file. It is needed for each file to attach.'),
    title: text('The title of the file, as it is shown.'),
  }),
  Attendee: object('A guest of an event.', {
    additionalGuests: int32('The number of people whom the guest brings. The default is 0.'),
    comment: readOnly(text('The comment that the guest gave with the answer.')),
    displayName: text('The name of the guest, if it is known.'),
    email: text('The e-mail address of the guest. It is needed for each guest to add.'),
    id: readOnly(text('The id of the profile of the guest, if it has one.')),
    optionalAttendee: flag('Whether the guest is optional: invited, but need not come. The default is false.'),
    organizer: readOnly(flag('Whether the guest is the organizer of the event. The default is false.')),
    resource: flag(
      'Whether the guest is a room or another resource. It can be set only when the guest is added. The default is false.',
    ),
    responseStatus: text('The answer of the guest: needsAction (none yet), declined, tentative or accepted.'),
    self: readOnly(flag('Whether the guest is the user on whose behalf the tool runs. The default is false.')),
  }),
  CalendarListItem: object('A calendar of the caller’s list.', {
    description: readOnly(text('The description.')),
    id: { ...text('The id.'), 'x-google-identifier': true },
    summary: readOnly(text('The title.')),
    timeZone: readOnly(text('The time zone, an IANA name.')),
  }),
  DateOrDateTime: object('A day or an instant.', {
    date: text(
      'Of an event that lasts whole days: the day, as its midnight in UTC, such as 2030-03-04T00:00:00Z. It is no instant: do not convert it.',
    ),
    dateTime: text('Of any other event: the time with its offset, in RFC 3339, such as 2030-03-04T15:00:00+01:00.'),
    timeZone: text('The time zone of the event, as an IANA name. It matters for a series.'),
  }),
  Event: EVENT,
  GuestPermissions: object('What guests may do.', {
    guestsCanInviteOthers: flag('Whether guests may invite others. The default is true.'),
    guestsCanModify: flag('Whether guests may change the event. The default is false.'),
    guestsCanSeeGuests: flag('Whether guests see who else is invited. The default is true.'),
  }),
  Preferences: object('Limits for suggested periods.', {
    endHour: text('The end of working hours, as HH:mm. The default is 17:00.'),
    excludeWeekends: flag('Whether to leave out Saturdays and Sundays. The default is false.'),
    pageSize: int32('The largest number of periods. The default is 5.'),
    startHour: text('The start of working hours, as HH:mm. The default is 09:00.'),
  }),
  Principal: object('A person.', {
    displayName: text('The name, if it is known.'),
    email: text('The e-mail address of the person or of the calendar.'),
    self: readOnly(flag('Whether this is the user on whose behalf the tool runs. The default is false.')),
  }),
  Reminder: object('A reminder before the start.', {
    method: text('How the user is reminded: email or popup.'),
    minutes: int32(
      'The number of minutes before the start at which the user is reminded, from 0 to 40320 (four weeks).',
    ),
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

/** Returns the shape that `#/$defs/Attendee` and the like names. */
export const findShape = (ref: string): ToolSchema | undefined => SHAPE_LIST.get(ref.slice('#/$defs/'.length))

function collectShapes({ $ref, items, properties = {} }: ToolSchema, found: Map<string, ToolSchema>): void {
  const name = $ref?.slice('#/$defs/'.length)
  const shape = $ref === undefined ? undefined : findShape($ref)
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
