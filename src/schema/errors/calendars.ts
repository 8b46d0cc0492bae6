import type { ApiErrorRow } from './row.ts'

/** `{problem}` is a clause (see `ApiErrorRow`). */
export const CALENDARS = {
  cannotDeletePrimaryCalendar: {
    code: 403,
    domain: 'calendar',
    reason: 'cannotDeletePrimaryCalendar',
    message: 'Cannot delete primary calendar.',
  },
  cannotClearSecondaryCalendar: { code: 400, reason: 'invalid', message: 'Cannot clear a secondary calendar.' },
  missingSummary: { code: 400, reason: 'required', message: 'Missing summary' },
  /** The time zone is unknown, or a description or location is too long. */
  invalidCalendarValue: { code: 400, reason: 'invalid', message: 'Invalid Value' },
  cannotTransfer: { code: 412, reason: 'conditionNotMet', message: 'Cannot transfer the ownership: {problem}.' },
  cannotUnsubscribeFromOwnedCalendar: {
    code: 403,
    domain: 'calendar',
    reason: 'cannotUnsubscribeFromOwnedCalendar',
    message: 'Cannot unsubscribe from a calendar that you own.',
  },
  cannotChangeOwnPrimarySubscription: {
    code: 403,
    domain: 'calendar',
    reason: 'cannotChangeOwnPrimarySubscription',
    message: 'Cannot change the subscription to your own primary calendar.',
  },
  cannotChangeOwnAcl: {
    code: 403,
    domain: 'calendar',
    reason: 'cannotChangeOwnAcl',
    message: 'Cannot change your own access level.',
  },
  cannotChangeOwnerAcl: {
    code: 403,
    domain: 'calendar',
    reason: 'cannotChangeOwnerAcl',
    message: "Cannot change access level of the calendar's owner.",
  },
  cannotModifyAclOfCalendarOwner: {
    code: 403,
    domain: 'calendar',
    reason: 'cannotModifyAclOfCalendarOwner',
    message: "Cannot modify the access level of the calendar's data owner.",
  },
  cannotRemoveLastCalendarOwnerFromAcl: {
    code: 403,
    domain: 'calendar',
    reason: 'cannotRemoveLastCalendarOwnerFromAcl',
    message: 'Cannot remove the last owner of the calendar.',
  },
  illegalAccessRoleForDefault: {
    code: 400,
    domain: 'calendar',
    reason: 'illegalAccessRoleForDefault',
    message: 'The access role is not allowed for the default scope.',
  },
  invalidScopeValue: {
    code: 400,
    domain: 'calendar',
    reason: 'invalidScopeValue',
    message: 'Invalid scope value.',
  },
} as const satisfies Record<string, ApiErrorRow>
