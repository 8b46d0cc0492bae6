// The types of seeds and states that users see. They are written by hand, because a consumer's compiler may not accept the
// declarations of zod. test/schema/types/publicTypes.test.ts compares them with the schemas.
//
// Instants are RFC 3339 texts on the world's clock. Emails identify accounts. `undefined` equals a missing field.

import type { OAuthSeed } from './oauthTypes.ts'

/** The kind of a mail. The first five are the notifications that a calendar list entry can switch on. */
export type MailKind =
  | 'eventCreation'
  | 'eventChange'
  | 'eventCancellation'
  | 'eventResponse'
  | 'agenda'
  | 'reminder'
  | 'acl'

/** A mail that the service would have sent. Nothing is sent anywhere. */
export type Mail = {
  /** The account that caused it. For a reminder or an agenda, `calendar-notification@google.com`. */
  from: string
  to: string
  kind: MailKind
  /** The calendar of the event's organizer, the calendar that is shared, or the calendar of the agenda. */
  calendarId: string
  eventId?: string | undefined
  /** The title of the event. */
  summary?: string | undefined
  /** For a response: the new status. */
  responseStatus?: string | undefined
  /** For an agenda: the events of the day. */
  events?: AgendaEvent[] | undefined
  /** The time in UTC, by the world's clock. */
  sentAt: string
}
/** An event of an agenda. Its start has a `date` or a `dateTime`. */
export type AgendaEvent = {
  eventId: string
  summary?: string | undefined
  start: { date?: string | undefined; dateTime?: string | undefined; timeZone?: string | undefined }
}

type Fields<T> = { [K in keyof T]?: T[K] | null | undefined }

/**
 * The time at which a conference request succeeds or fails: by the next request of the world, at once, after `delay`, after
 * `reads` reads, or when the test author settles it.
 */
export type ConferenceMode = 'nextRequest' | 'immediate' | 'delay' | 'reads' | 'manual'

/** The policy of a world for conference requests. `delay` and `reads` each imply their own mode. */
export type ConferencePolicy = {
  mode?: ConferenceMode | undefined
  /** Milliseconds on the world's clock, or text such as `90s`. 0 answers at once. */
  delay?: string | number | undefined
  /** The number of reads during which the request stays pending, at least 1. */
  reads?: number | undefined
  outcome?: 'success' | 'failure' | undefined
  /** The region of the telephone numbers in conferences of Workspace accounts, such as `US`. */
  phone?: { region: string } | undefined
}

/**
 * The policy for some requests. Exactly one of the fields is set: the id of a request, the id of their event, or `times` for
 * the next so many requests. Fields that it omits follow the policy of the world.
 */
export type ConferenceRule = ConferencePolicy & {
  requestId?: string | undefined
  eventId?: string | undefined
  times?: number | undefined
}

/** Selects the pending requests to settle: those with this id, those of this event, or all. */
export type ConferenceSettlement = {
  requestId?: string | undefined
  eventId?: string | undefined
  /** The outcome; by default the one that the policy gave the request when it was made. */
  outcome?: 'success' | 'failure' | undefined
}

/** A conference request that is not settled yet. Without `due`, `reads` and `nextRequest`, it waits for the test author. */
export type PendingConference = {
  calendarId: string
  eventId: string
  requestId: string
  /** The outcome that it will have. */
  outcome: 'success' | 'failure'
  /** The instant at which it settles. */
  due?: string | undefined
  /** The number of reads after which it settles. */
  reads?: number | undefined
  /** True if the next request of the world settles it. */
  nextRequest?: true | undefined
  phone?: { region: string } | undefined
}

/** The conference part of a seed or a state. */
export type ConferenceState = {
  policy?: ConferencePolicy | undefined
  rules?: ConferenceRule[] | undefined
  pending?: PendingConference[] | undefined
}

type Reminder = Fields<{ method: string; minutes: number }>
type Person = Fields<{ id: string; email: string; displayName: string; self: boolean }>
type Time = Fields<{ date: string; dateTime: string; timeZone: string }>
type TextMap = Record<string, string | null>
type SolutionKey = Fields<{ type: string }>
type AutoDecline = 'declineNone' | 'declineAllConflictingInvitations' | 'declineOnlyNewConflictingInvitations'

/** An account of a seed. */
export type SeedAccount = {
  email: string
  displayName?: string | undefined
  timeZone?: string | undefined
  /** The kind of account; `consumer` by default. */
  kind?: 'consumer' | 'workspace' | undefined
  /** True if events show the account's name beside its address. */
  showDisplayName?: boolean | undefined
  /** True for an administrator of the Workspace, who may transfer calendars. */
  admin?: boolean | undefined
  /** The account's own reminders for events in calendars of other accounts. */
  reminders?:
    | {
        calendarId: string
        eventId: string
        useDefault?: boolean | undefined
        overrides?: { method?: string | undefined; minutes?: number | undefined }[] | undefined
      }[]
    | undefined
  /** Setting values by id, or settings as the API returns them. */
  settings?:
    | Record<string, string>
    | ({ id: string; value: string } & Fields<{ kind: string; etag: string }>)[]
    | undefined
  calendarList?:
    | ({ id: string } & Fields<{
        summaryOverride: string
        colorId: string
        backgroundColor: string
        foregroundColor: string
        hidden: boolean
        selected: boolean
        defaultReminders: Reminder[]
        notificationSettings: Fields<{ notifications: Fields<{ type: string; method: string }>[] }>
        kind: string
        etag: string
        primary: boolean
        deleted: boolean
      }>)[]
    | undefined
}

/** An event of a seed, with the fields of the API. */
export type SeedEvent = Fields<{
  id: string
  status: 'confirmed' | 'tentative' | 'cancelled'
  summary: string
  description: string
  location: string
  colorId: string
  organizer: Person
  start: Time
  end: Time
  endTimeUnspecified: boolean
  recurrence: string[]
  recurringEventId: string
  originalStartTime: Time
  transparency: 'opaque' | 'transparent'
  visibility: 'default' | 'public' | 'private' | 'confidential'
  iCalUID: string
  sequence: number
  attendees: Fields<{
    id: string
    email: string
    displayName: string
    organizer: boolean
    self: boolean
    resource: boolean
    optional: boolean
    responseStatus: 'needsAction' | 'declined' | 'tentative' | 'accepted'
    comment: string
    additionalGuests: number
  }>[]
  attendeesOmitted: boolean
  extendedProperties: Fields<{ private: TextMap; shared: TextMap }>
  conferenceData: Fields<{
    createRequest: Fields<{
      requestId: string
      conferenceSolutionKey: SolutionKey
      status: Fields<{ statusCode: string }>
    }>
    entryPoints: Fields<{
      entryPointType: 'video' | 'phone' | 'sip' | 'more'
      uri: string
      label: string
      pin: string
      accessCode: string
      meetingCode: string
      passcode: string
      password: string
      regionCode: string
      entryPointFeatures: string[]
    }>[]
    conferenceSolution: Fields<{ key: SolutionKey; name: string; iconUri: string }>
    conferenceId: string
    signature: string
    notes: string
    parameters: Fields<{ addOnParameters: Fields<{ parameters: TextMap }> }>
  }>
  gadget: Fields<{
    type: string
    title: string
    link: string
    iconLink: string
    width: number
    height: number
    display: 'icon' | 'chip'
    preferences: TextMap
  }>
  anyoneCanAddSelf: boolean
  guestsCanInviteOthers: boolean
  guestsCanModify: boolean
  guestsCanSeeOtherGuests: boolean
  reminders: Fields<{ useDefault: boolean; overrides: Reminder[] }>
  source: Fields<{ url: string; title: string }>
  workingLocationProperties: Fields<{
    type: 'homeOffice' | 'officeLocation' | 'customLocation'
    homeOffice: unknown
    customLocation: Fields<{ label: string }>
    officeLocation: Fields<{
      buildingId: string
      floorId: string
      floorSectionId: string
      deskId: string
      label: string
    }>
  }>
  outOfOfficeProperties: Fields<{ autoDeclineMode: AutoDecline; declineMessage: string }>
  focusTimeProperties: Fields<{
    autoDeclineMode: AutoDecline
    declineMessage: string
    chatStatus: 'available' | 'doNotDisturb'
  }>
  attachments: Fields<{ fileUrl: string; title: string; mimeType: string; iconLink: string; fileId: string }>[]
  birthdayProperties: Fields<{
    contact: string
    type: 'birthday' | 'anniversary' | 'custom' | 'other' | 'self'
    customTypeName: string
  }>
  eventType: 'default' | 'focusTime' | 'outOfOffice' | 'workingLocation' | 'birthday' | 'fromGmail'
  eventLabelId: string
  kind: string
  etag: string
  htmlLink: string
  created: string
  updated: string
  creator: Person
  hangoutLink: string
  privateCopy: boolean
  locked: boolean
}>

/** A calendar of a seed, with its rules and events. */
export type SeedCalendar = {
  id: string
  /** The data owner of a secondary calendar. The id of a primary calendar is its account's address. */
  owner?: string | undefined
  /** The OAuth client that created it. Tokens of this client with the scope `calendar.app.created` can access it. */
  client?: string | undefined
  /** True for a calendar that was deleted. Its id stays taken. */
  deleted?: boolean | undefined
  acl?:
    | Fields<{
        role: string
        scope: Fields<{ type: string; value: string }>
        kind: string
        etag: string
        id: string
      }>[]
    | undefined
  events?: SeedEvent[] | undefined
} & Fields<{
  summary: string
  description: string
  location: string
  timeZone: string
  conferenceProperties: Fields<{ allowedConferenceSolutionTypes: string[] }>
  labelProperties: Fields<{ eventLabels: Fields<{ id: string; name: string; backgroundColor: string }>[] }>
  workingHours: Fields<{
    workingHoursEnabled: boolean
    availableTimes: Fields<{ dayOfWeek: string; periodStart: number; periodEnd: number }>[]
  }>
  kind: string
  etag: string
  dataOwner: string
  autoAcceptInvitations: boolean
}>

/** A notification channel. `messages` counts its messages so far, and `lastMessage` is the number in the last of them. */
export type ChannelSeed = {
  id: string
  account: string
  resource: 'acl' | 'calendarList' | 'events' | 'settings'
  calendarId?: string | undefined
  eventTypes?: string[] | undefined
  resourceId: string
  resourceUri: string
  address: string
  token?: string | undefined
  /** Milliseconds since the epoch. */
  expiration: number
  stopped?: true | undefined
  messages?: number | undefined
  lastMessage?: number | undefined
}

/** A world as JSON, with the field names of the API. Missing fields get the defaults of the service. */
export type Seed = {
  $schema?: string | undefined
  /** The reference date of the seed: every date moves by the whole weeks between it and the world's current time. */
  anchor?: string | undefined
  /** The clock: it follows the machine (`real`), runs from `now` (`set`), or stands at `now` (`frozen`). */
  clock?: { mode: 'real' | 'set' | 'frozen'; now: string } | undefined
  /** The policy for conference requests; in a state, also the pending requests. */
  conferences?: ConferenceState | undefined
  accounts?: SeedAccount[] | undefined
  groups?: { email: string; members: string[] }[] | undefined
  calendars?: SeedCalendar[] | undefined
  /** Only in a state: the notification channels. */
  channels?: ChannelSeed[] | undefined
  /** The outbox: the mail that the service would have sent. */
  mail?: Mail[] | undefined
  tokens?:
    | {
        token: string
        account: string
        /** Without them, the token has all scopes. */
        scopes?: string[] | undefined
        client?: string | undefined
        /** The expiry time on the world's clock; without it, the token does not expire. */
        expires?: string | undefined
        revoked?: boolean | undefined
      }[]
    | undefined
  /** The valid API keys. Without this list, any key is valid. */
  apiKeys?: string[] | undefined
  oauth?: OAuthSeed | undefined
  /** Drive files by id: attachments with their URLs get these titles and types. */
  files?: { id: string; title?: string | undefined; mimeType?: string | undefined }[] | undefined
  /** Only in a state, which is restored exactly. A revision is in microseconds since the epoch. */
  counters?:
    | {
        /** The latest revision. */
        revision: number
        /** Sync tokens up to this revision have expired. */
        expiredUpTo: number
        /** The state of the generator of ids. */
        ids: number
        /**
         * The epoch of the world: its id and the number of its resets. It continues epochs whose tokens stay valid up to
         * the revision `until`; -1 if none do.
         */
        epoch: {
          worldId: string
          resetCount: number
          continues: { worldId: string; resetCount: number; until: number }[]
        }
      }
    | undefined
}
