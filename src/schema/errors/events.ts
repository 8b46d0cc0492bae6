import type { ApiErrorRow } from './row.ts'

/** `{which}` is `start`, `end` or `original start`; `{type}` is an event type; `{problem}` is a whole sentence. */
export const EVENTS = {
  missingTime: { code: 400, reason: 'required', message: 'Missing {which} time.' },
  /** One time has a date and the other a dateTime, or one has neither. */
  mixedTimes: {
    code: 400,
    reason: 'invalid',
    message: 'Start and end times must either both be date or both be dateTime.',
  },
  invalidTime: { code: 400, reason: 'invalid', message: 'Invalid {which} time.' },
  missingZone: { code: 400, reason: 'required', message: 'Missing time zone definition for {which} time.' },
  invalidZone: { code: 400, reason: 'invalid', message: 'Invalid time zone definition for {which} time.' },
  invalidRecurrence: { code: 400, reason: 'invalid', message: 'Invalid recurrence rule.' },
  invalidSeriesId: { code: 400, reason: 'invalid', message: 'Invalid recurringEventId value.' },
  missingAttendeeEmail: { code: 400, reason: 'required', message: 'Missing attendee email.' },
  invalidAttendeeEmail: { code: 400, reason: 'invalid', message: 'Invalid attendee email.' },
  invalidConferenceType: { code: 400, reason: 'invalid', message: 'Invalid conference type value.' },
  malformedFocusTimeEvent: { code: 400, domain: 'calendar', reason: 'malformedFocusTimeEvent', message: '{problem}' },
  malformedOutOfOfficeEvent: {
    code: 400,
    domain: 'calendar',
    reason: 'malformedOutOfOfficeEvent',
    message: '{problem}',
  },
  malformedWorkingLocationEvent: {
    code: 400,
    domain: 'calendar',
    reason: 'malformedWorkingLocationEvent',
    message: '{problem}',
  },
  privatePropertiesOfBirthday: {
    code: 400,
    reason: 'invalid',
    message: "'birthday' event type must not have private extended properties.",
  },
  /** A write changes a field that events of this type do not allow to change. */
  eventTypeRestriction: {
    code: 400,
    domain: 'calendar',
    reason: 'eventTypeRestriction',
    message: "Attempt made to modify '{type}' event in a way that is not valid for this event type.",
    extendedHelp: 'https://developers.google.com/workspace/calendar/api/guides/event-types#{type}',
  },
  /** `{what}` begins the sentence, such as `Creating an event`. */
  eventTypeNotSupported: {
    code: 400,
    domain: 'calendar',
    reason: 'eventTypeRestriction',
    message: '{what} is not supported for this event type.',
  },
  eventTypeChanged: { code: 400, reason: 'invalid', message: 'Event type cannot be changed.' },
  /** `{properties}` is the field that only events of `{type}` have. */
  propertiesOfAnotherType: {
    code: 400,
    reason: 'invalid',
    message: '{properties} requires an event type of {type}, and vice versa.',
  },
  /** `useDefault` is true, and there are overrides. */
  remindersBothWays: {
    code: 400,
    domain: 'calendar',
    reason: 'cannotUseDefaultRemindersAndSpecifyOverride',
    message: 'Cannot specify both default reminders and overrides at the same time.',
  },
  tooManyReminders: {
    code: 400,
    domain: 'calendar',
    reason: 'eventRemindersCountExceedsLimit',
    message: 'The event exceeds the allowed maximum number of reminders.',
  },
  sequenceTooLow: {
    code: 400,
    reason: 'invalid',
    message:
      'Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.',
  },
} as const satisfies Record<string, ApiErrorRow>
