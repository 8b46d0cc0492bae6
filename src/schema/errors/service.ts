import { errorsWith } from './row.ts'

/**
 * `{location}` is the name of a parameter or the missing field of a channel, `{value}` a value as it was sent,
 * `{field}` a path in a body such as `attachments[0].fileUrl`, and `{problem}` a phrase. `{which}` is `start`, `end`
 * or `original start`.
 */
const INVALID = errorsWith(
  { code: 400, reason: 'invalid' },
  {
    /** `{field}` and `{problem}` are only in the hint (behaviour 2.2.1). */
    invalidValue: { message: 'Invalid Value' },
    /** A value of another type, or none of the listed values (behaviour 2.2.1). */
    wrongKind: { message: 'Invalid value' },
    /** Such as an unknown time zone. */
    invalidQuery: { message: 'Invalid value for: {location}', location: '{location}' },
    /** A text of a body, or its recurrence, is longer than its limit. */
    fieldTooLong: { message: 'A provided value exceeds the allowed size limit.' },
    invalidId: { message: 'Invalid resource id value.' },
    orderingNotAvailable: {
      message: 'The requested ordering is not available for the particular query.',
      location: 'orderBy',
    },
    invalidPageToken: { message: 'Invalid page token value.', location: 'pageToken' },
    invalidSyncToken: { message: 'Invalid sync token value.', location: 'syncToken' },
    syncTokenWith: { message: 'Sync token cannot be used with {location}.', location: '{location}' },
    pageTokenWith: {
      message: 'Page token cannot be used with another {location} than that of the first page.',
      location: '{location}',
    },
    /** One time has a date and the other a dateTime, or one has neither. */
    mixedTimes: { message: 'Start and end times must either both be date or both be dateTime.' },
    invalidTime: { message: 'Invalid {which} time.' },
    invalidZone: { message: 'Invalid time zone definition for {which} time.' },
    invalidRecurrence: { message: 'Invalid recurrence rule.' },
    invalidUid: { message: 'Invalid iCalUID value.' },
    invalidSeriesId: { message: 'Invalid recurringEventId value.' },
    invalidAttendeeEmail: { message: 'Invalid attendee email.' },
    invalidConferenceType: { message: 'Invalid conference type value.' },
    privatePropertiesOfBirthday: { message: "'birthday' event type must not have private extended properties." },
    eventTypeChanged: { message: 'Event type cannot be changed.' },
    /** `{properties}` is the field that only events of `{type}` have. */
    propertiesOfAnotherType: { message: '{properties} requires an event type of {type}, and vice versa.' },
    sequenceTooLow: {
      message:
        'Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.',
    },
    cannotClearSecondaryCalendar: { message: 'Cannot clear a secondary calendar.' },
  },
)

const INVALID_PARAMETER = errorsWith(
  { code: 400, reason: 'invalidParameter', location: '{location}' },
  {
    invalidBoolean: { message: "Invalid boolean value: '{value}'." },
    invalidInteger: { message: "Invalid integer value: '{value}'." },
    outOfRange: { message: "Invalid value '{value}'. Values must be within the range: [{least}, {most}]" },
    notAllowed: { message: "Invalid string value: '{value}'. Allowed values: [{allowed}]" },
    parameterTooLong: { message: 'Invalid Value' },
    invalidField: { message: 'Invalid field selection {field}', location: 'fields' },
  },
)

const REQUIRED = errorsWith(
  { code: 400, reason: 'required' },
  {
    missingParameter: { message: 'Required parameter: {location}', location: '{location}' },
    missingField: { message: 'Missing {field}.' },
    missingTime: { message: 'Missing {which} time.' },
    missingZone: { message: 'Missing time zone definition for {which} time.' },
    missingAttendeeEmail: { message: 'Missing attendee email.' },
    missingSummary: { message: 'Missing summary' },
    channelFieldRequired: { message: 'Required', location: '{location}' },
  },
)

const OTHERS = errorsWith(
  { code: 400 },
  {
    /** A time is not an RFC 3339 timestamp, or a date does not exist. */
    badTimestamp: { reason: 'badRequest', message: 'Bad Request' },
    parseError: { message: 'Parse Error' },
    formEncodedBody: { reason: 'parseError', message: 'This API does not support parsing form-encoded input.' },
    bodyTooLarge: { code: 413, reason: 'requestTooLarge', message: 'Request body is larger than 10 MB.' },
    /** A part is not carried out, because the responses before it fill the batch (behaviour 14). */
    batchResponseTooLong: {
      code: 403,
      reason: 'responseTooLarge',
      message: 'The response of this batch is full, so this part was not carried out. Send it in another batch.',
    },
    notFound: { code: 404, message: 'Not Found' },
    duplicate: { code: 409, message: 'The requested identifier already exists.' },
    deleted: { code: 410, message: 'Resource has been deleted' },
    staleEtag: { code: 412, reason: 'conditionNotMet', message: 'Precondition Failed', location: 'If-Match' },
    cannotTransfer: { code: 412, reason: 'conditionNotMet', message: 'Cannot transfer the ownership: {problem}.' },
    forbidden: { code: 403, message: 'Forbidden' },
    /** A token for the MCP server whose client is not marked as agentic (behaviour 17.9). */
    clientNotAgentic: {
      code: 403,
      reason: 'forbidden',
      message: 'The OAuth client is not marked for use by an AI-powered agent.',
    },
    unknownChannelType: { reason: 'push.channelTypeUnknown', message: 'Unknown channel type: {type}' },
    channelIdNotUnique: { message: 'Channel id not unique' },
    webhookUrlNotHttps: { reason: 'push.webhookUrlNotHttps', message: 'WebHook callback must be HTTPS: {url}' },
    pushNotSupported: {
      reason: 'pushNotSupportedForRequestedResource',
      message: 'Push notifications are not supported by this resource.',
    },
    channelNotFound: {
      code: 404,
      reason: 'notFound',
      message: "Channel '{id}' not found for project '{project}'",
    },
  },
)

/** `{problem}` is a whole sentence, `{type}` an event type, and `{role}` the missing role. */
const CALENDAR_DOMAIN = errorsWith(
  { code: 400, domain: 'calendar' },
  {
    /** The caller has a role on the calendar, but the method needs a higher one. */
    needsRole: {
      code: 403,
      reason: 'requiredAccessLevel',
      message: 'You need to have {role} access to this calendar.',
    },
    timeRangeEmpty: { message: 'The specified time range is empty.', location: 'timeMax' },
    /** Thrown by free/busy queries. */
    timeRangeTooLong: { message: 'The requested time range is too long.', location: 'timeMax' },
    syncTokenWithNonDefaultOrdering: {
      message: 'Sync token cannot be used with non-default ordering.',
      location: 'orderBy',
    },
    fullSyncRequired: {
      code: 410,
      message: 'Sync token is no longer valid, a full sync is required.',
      location: 'syncToken',
    },
    updatedMinTooLongAgo: {
      code: 410,
      message: 'The requested minimum modification time lies too far in the past.',
      location: 'updatedMin',
    },
    malformedFocusTimeEvent: { message: '{problem}' },
    malformedOutOfOfficeEvent: { message: '{problem}' },
    malformedWorkingLocationEvent: { message: '{problem}' },
    /** A write changes a field that events of this type do not allow to change. */
    eventTypeRestriction: {
      message: "Attempt made to modify '{type}' event in a way that is not valid for this event type.",
      extendedHelp: 'https://developers.google.com/workspace/calendar/api/guides/event-types#{type}',
    },
    /** `{what}` begins the sentence, such as `Creating an event`. */
    eventTypeNotSupported: { reason: 'eventTypeRestriction', message: '{what} is not supported for this event type.' },
    /** `useDefault` is true, and there are overrides. */
    remindersBothWays: {
      reason: 'cannotUseDefaultRemindersAndSpecifyOverride',
      message: 'Cannot specify both default reminders and overrides at the same time.',
    },
    tooManyReminders: {
      reason: 'eventRemindersCountExceedsLimit',
      message: 'The event exceeds the allowed maximum number of reminders.',
    },
    forbiddenForNonOrganizer: {
      code: 403,
      message: 'Shared properties can only be changed by the organizer of the event.',
    },
    forbiddenForNonCreator: { code: 403, message: 'The source of an event can only be changed by its creator.' },
    forbiddenForServiceAccounts: {
      code: 403,
      message: 'Service accounts cannot invite attendees without Domain-Wide Delegation of Authority.',
    },
    cannotChangeOrganizerOfInstance: { message: 'Cannot change the organizer of an instance.' },
    participantIsNeitherOrganizerNorAttendee: {
      message: 'The owner of the calendar must either be the organizer or an attendee of an event that is imported.',
    },
    cannotDeletePrimaryCalendar: { code: 403, message: 'Cannot delete primary calendar.' },
    cannotUnsubscribeFromOwnedCalendar: { code: 403, message: 'Cannot unsubscribe from a calendar that you own.' },
    cannotChangeOwnPrimarySubscription: {
      code: 403,
      message: 'Cannot change the subscription to your own primary calendar.',
    },
    cannotChangeOwnAcl: { code: 403, message: 'Cannot change your own access level.' },
    cannotChangeOwnerAcl: { code: 403, message: "Cannot change access level of the calendar's owner." },
    cannotModifyAclOfCalendarOwner: {
      code: 403,
      message: "Cannot modify the access level of the calendar's data owner.",
    },
    cannotRemoveLastCalendarOwnerFromAcl: { code: 403, message: 'Cannot remove the last owner of the calendar.' },
    illegalAccessRoleForDefault: { message: 'The access role is not allowed for the default scope.' },
    invalidScopeValue: { message: 'Invalid scope value.' },
  },
)

/** Errors of the calendar backend, which requests cause. */
export const SERVICE = { ...OTHERS, ...INVALID, ...INVALID_PARAMETER, ...REQUIRED, ...CALENDAR_DOMAIN }
