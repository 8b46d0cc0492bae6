import type { ApiErrorRow } from './row.ts'

/** With errors of free/busy queries over a long range. */
export const GUESTS = {
  forbiddenForNonOrganizer: {
    code: 403,
    domain: 'calendar',
    reason: 'forbiddenForNonOrganizer',
    message: 'Shared properties can only be changed by the organizer of the event.',
  },
  forbiddenForNonCreator: {
    code: 403,
    domain: 'calendar',
    reason: 'forbiddenForNonCreator',
    message: 'The source of an event can only be changed by its creator.',
  },
  forbiddenForServiceAccounts: {
    code: 403,
    domain: 'calendar',
    reason: 'forbiddenForServiceAccounts',
    message: 'Service accounts cannot invite attendees without Domain-Wide Delegation of Authority.',
  },
  cannotChangeOrganizerOfInstance: {
    code: 400,
    domain: 'calendar',
    reason: 'cannotChangeOrganizerOfInstance',
    message: 'Cannot change the organizer of an instance.',
  },
  participantIsNeitherOrganizerNorAttendee: {
    code: 400,
    domain: 'calendar',
    reason: 'participantIsNeitherOrganizerNorAttendee',
    message: 'The owner of the calendar must either be the organizer or an attendee of an event that is imported.',
  },
  timeRangeTooLong: {
    code: 400,
    domain: 'calendar',
    reason: 'timeRangeTooLong',
    message: 'The requested time range is too long.',
    location: 'timeMax',
  },
} as const satisfies Record<string, ApiErrorRow>
