/**
 * Everything the service refuses with, word for word (behaviour 2.2). A refusal has a name of its own because the service
 * reuses reasons: `required` is a 400 with six messages and a 401.
 *
 * `domain` is `global` unless given. `location` names a header where it begins with a capital, else a parameter.
 * `frontEnd` marks the refusals that the API front end writes, in an envelope of its own (behaviour 2.1).
 */
type Row = {
  code: number
  domain?: string
  reason: string
  message: string
  location?: string
  frontEnd?: { status: string; message?: string; errorInfo?: string; challenge?: string }
  /** The error of RFC 6749 that the OAuth endpoints answer with, in an envelope of theirs. */
  oauth?: string
}

const CREDENTIALS_EXPECTED =
  'Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.'

export const REFUSALS = {
  // What a request says
  badTimestamp: { code: 400, reason: 'badRequest', message: 'Bad Request' },
  parseError: { code: 400, reason: 'parseError', message: 'Parse Error' },
  formEncodedBody: {
    code: 400,
    reason: 'parseError',
    message: 'This API does not support parsing form-encoded input.',
  },
  invalidValue: { code: 400, reason: 'invalid', message: 'Invalid value for: {field}: {problem}' },
  invalidQuery: { code: 400, reason: 'invalid', message: 'Invalid value for: {location}', location: '{location}' },
  invalidBoolean: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid boolean value: '{value}'.",
    location: '{location}',
  },
  invalidInteger: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid integer value: '{value}'.",
    location: '{location}',
  },
  outOfRange: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid value '{value}'. Values must be within the range: [{least}, {most}]",
    location: '{location}',
  },
  notAllowed: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid string value: '{value}'. Allowed values: [{allowed}]",
    location: '{location}',
  },
  tooLong: {
    code: 400,
    reason: 'invalidParameter',
    message: "Invalid value '{value}'. Values must have at most {most} characters.",
    location: '{location}',
  },
  invalidField: {
    code: 400,
    reason: 'invalidParameter',
    message: 'Invalid field selection {field}',
    location: 'fields',
  },
  missingParameter: {
    code: 400,
    reason: 'required',
    message: 'Required parameter: {location}',
    location: '{location}',
  },
  missingTitle: { code: 400, reason: 'required', message: 'Required' },
  missingField: { code: 400, reason: 'required', message: 'Missing {field}.' },
  bodyTooLarge: { code: 413, reason: 'requestTooLarge', message: 'Request body is larger than 10 MB.' },
  badBatch: {
    code: 400,
    reason: 'badRequest',
    message: 'Failed to parse batch request: {problem}.',
    frontEnd: { status: 'INVALID_ARGUMENT' },
  },

  // Who asks
  invalidKey: {
    code: 400,
    reason: 'badRequest',
    message: 'API key not valid. Please pass a valid API key.',
    frontEnd: { status: 'INVALID_ARGUMENT', errorInfo: 'API_KEY_INVALID' },
  },
  missingKey: {
    code: 403,
    reason: 'forbidden',
    message: 'The request is missing a valid API key.',
    frontEnd: { status: 'PERMISSION_DENIED' },
  },
  loginRequired: {
    code: 401,
    reason: 'required',
    message: 'Login Required.',
    location: 'Authorization',
    frontEnd: {
      status: 'UNAUTHENTICATED',
      message: `Request is missing required authentication credential. ${CREDENTIALS_EXPECTED}`,
      errorInfo: 'CREDENTIALS_MISSING',
      challenge: 'Bearer realm="https://accounts.google.com/"',
    },
  },
  invalidCredentials: {
    code: 401,
    reason: 'authError',
    message: 'Invalid Credentials',
    location: 'Authorization',
    frontEnd: {
      status: 'UNAUTHENTICATED',
      message: `Request had invalid authentication credentials. ${CREDENTIALS_EXPECTED}`,
      challenge: 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
    },
  },
  insufficientScope: {
    code: 403,
    reason: 'insufficientPermissions',
    message: 'Insufficient Permission',
    frontEnd: {
      status: 'PERMISSION_DENIED',
      message: 'Request had insufficient authentication scopes.',
      errorInfo: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
      challenge: 'Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="{scopes}"',
    },
  },
  needsRole: {
    code: 403,
    domain: 'calendar',
    reason: 'requiredAccessLevel',
    message: 'You need to have {role} access to this calendar.',
  },
  forbidden: { code: 403, reason: 'forbidden', message: 'Forbidden' },

  // Identity and versions
  notFound: { code: 404, reason: 'notFound', message: 'Not Found' },
  duplicate: { code: 409, reason: 'duplicate', message: 'The requested identifier already exists.' },
  deleted: { code: 410, reason: 'deleted', message: 'Resource has been deleted' },
  staleEtag: { code: 412, reason: 'conditionNotMet', message: 'Precondition Failed', location: 'If-Match' },
  invalidId: { code: 400, reason: 'invalid', message: 'Invalid resource id value.' },

  // Lists and sync
  timeRangeEmpty: {
    code: 400,
    domain: 'calendar',
    reason: 'timeRangeEmpty',
    message: 'The specified time range is empty.',
    location: 'timeMax',
  },
  orderingNotAvailable: {
    code: 400,
    reason: 'invalid',
    message: 'The requested ordering is not available for the particular query.',
    location: 'orderBy',
  },
  invalidPageToken: { code: 400, reason: 'invalid', message: 'Invalid page token value.', location: 'pageToken' },
  invalidSyncToken: { code: 400, reason: 'invalid', message: 'Invalid sync token value.', location: 'syncToken' },
  syncTokenWith: {
    code: 400,
    reason: 'invalid',
    message: 'Sync token cannot be used with {location}.',
    location: '{location}',
  },
  fullSyncRequired: {
    code: 410,
    domain: 'calendar',
    reason: 'fullSyncRequired',
    message: 'Sync token is no longer valid, a full sync is required.',
    location: 'syncToken',
  },
  updatedMinTooLongAgo: {
    code: 410,
    domain: 'calendar',
    reason: 'updatedMinTooLongAgo',
    message: 'The requested minimum modification time lies too far in the past.',
    location: 'updatedMin',
  },

  // Events
  missingTime: { code: 400, reason: 'required', message: 'Missing {which} time.' },
  mixedTimes: {
    code: 400,
    reason: 'invalid',
    message: 'Start and end times must either both be date or both be dateTime.',
  },
  invalidTime: { code: 400, reason: 'invalid', message: 'Invalid {which} time.' },
  missingZone: { code: 400, reason: 'required', message: 'Missing time zone definition for {which} time.' },
  invalidZone: { code: 400, reason: 'invalid', message: 'Invalid time zone definition for {which} time.' },
  invalidRecurrence: { code: 400, reason: 'invalid', message: 'Invalid recurrence rule.' },
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
  eventTypeRestriction: {
    code: 400,
    domain: 'calendar',
    reason: 'eventTypeRestriction',
    message: '{what} is not supported for this event type.',
  },
  remindersBothWays: {
    code: 400,
    domain: 'calendar',
    reason: 'cannotUseDefaultRemindersAndSpecifyOverride',
    message: 'Cannot specify both default reminders and overrides at the same time.',
  },
  sequenceTooLow: {
    code: 400,
    reason: 'invalid',
    message:
      'Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.',
  },

  // Organizers and guests
  forbiddenForNonOrganizer: {
    code: 403,
    domain: 'calendar',
    reason: 'forbiddenForNonOrganizer',
    message: 'Shared properties can only be changed by the organizer of the event.',
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

  // Calendars, lists of calendars, rules
  cannotDeletePrimaryCalendar: {
    code: 403,
    domain: 'calendar',
    reason: 'cannotDeletePrimaryCalendar',
    message: 'Cannot delete primary calendar.',
  },
  cannotClearSecondaryCalendar: { code: 400, reason: 'invalid', message: 'Cannot clear a secondary calendar.' },
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

  // OAuth: a word of RFC 6749 each, and what the service says with it
  oauthInvalidRequest: { code: 400, reason: 'invalid', message: '{problem}', oauth: 'invalid_request' },
  oauthUnknownClient: {
    code: 401,
    reason: 'invalid',
    message: 'The OAuth client was not found.',
    oauth: 'invalid_client',
  },
  oauthWrongSecret: { code: 401, reason: 'invalid', message: 'Unauthorized', oauth: 'invalid_client' },
  oauthBadGrant: { code: 400, reason: 'invalid', message: 'Bad Request', oauth: 'invalid_grant' },
  oauthRevoked: {
    code: 400,
    reason: 'invalid',
    message: 'Token has been expired or revoked.',
    oauth: 'invalid_grant',
  },
  oauthBadAssertion: { code: 400, reason: 'invalid', message: 'Invalid JWT: {problem}', oauth: 'invalid_grant' },
  oauthBadSignature: { code: 400, reason: 'invalid', message: 'Invalid JWT Signature.', oauth: 'invalid_grant' },
  oauthUnknownServiceAccount: {
    code: 400,
    reason: 'invalid',
    message: 'Invalid grant: account not found',
    oauth: 'invalid_grant',
  },
  oauthNoSuchUser: { code: 400, reason: 'invalid', message: 'Invalid email or User ID', oauth: 'invalid_grant' },
  oauthUndelegated: {
    code: 401,
    reason: 'invalid',
    message:
      'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.',
    oauth: 'unauthorized_client',
  },
  oauthInvalidScope: {
    code: 400,
    reason: 'invalid',
    message: 'Some requested scopes were invalid: {scopes}',
    oauth: 'invalid_scope',
  },
  oauthRedirectMismatch: {
    code: 400,
    reason: 'invalid',
    message: 'The redirect URI in the request does not match the ones of the OAuth client.',
    oauth: 'redirect_uri_mismatch',
  },
  oauthMissingVerifier: { code: 400, reason: 'invalid', message: 'Missing code verifier.', oauth: 'invalid_grant' },
  oauthWrongVerifier: { code: 400, reason: 'invalid', message: 'Invalid code verifier.', oauth: 'invalid_grant' },
  oauthUnsupportedGrant: {
    code: 400,
    reason: 'invalid',
    message: 'Invalid grant_type: {grant}',
    oauth: 'unsupported_grant_type',
  },
  oauthPending: { code: 428, reason: 'invalid', message: 'Precondition Required', oauth: 'authorization_pending' },
  oauthSlowDown: { code: 403, reason: 'invalid', message: 'Forbidden', oauth: 'slow_down' },
  oauthDenied: { code: 403, reason: 'invalid', message: 'Forbidden', oauth: 'access_denied' },
  oauthExpired: { code: 400, reason: 'invalid', message: 'Bad Request', oauth: 'expired_token' },
  oauthInvalidToken: { code: 400, reason: 'invalid', message: 'Invalid Value', oauth: 'invalid_token' },
  oauthUnknownToken: {
    code: 400,
    reason: 'invalid',
    message: 'Token expired or revoked',
    oauth: 'invalid_token',
  },
  oauthUnavailable: { code: 503, reason: 'invalid', message: 'Service Unavailable', oauth: 'temporarily_unavailable' },
  // Channels
  channelFieldRequired: { code: 400, reason: 'required', message: 'Required', location: '{location}' },
  unknownChannelType: { code: 400, reason: 'push.channelTypeUnknown', message: 'Unknown channel type: {type}' },
  channelIdNotUnique: { code: 400, reason: 'channelIdNotUnique', message: 'Channel id {id} not unique' },
  webhookUrlNotHttps: {
    code: 400,
    reason: 'push.webhookUrlNotHttps',
    message: 'WebHook callback must be HTTPS: {url}',
  },
  pushNotSupported: {
    code: 400,
    reason: 'pushNotSupportedForRequestedResource',
    message: 'Push notifications are not supported by this resource.',
  },
  channelNotFound: {
    code: 404,
    reason: 'notFound',
    message: "Channel '{id}' not found for project '{project}'",
  },

  // The fake itself
  foreignHost: {
    code: 403,
    reason: 'forbidden',
    message: 'Only a loopback host may control fake-calendar, not {host}.',
  },
  foreignOrigin: {
    code: 403,
    reason: 'forbidden',
    message: 'A page of another origin may not control fake-calendar.',
  },
  notJson: { code: 415, reason: 'unsupportedMediaType', message: 'Content-Type must be application/json.' },
  wrongControlToken: {
    code: 401,
    reason: 'authError',
    message: 'The header X-Fake-Control-Token must carry the control token.',
  },
  badControlRequest: { code: 400, reason: 'invalid', message: '{problem}' },
  waitedInVain: { code: 504, reason: 'deadlineExceeded', message: '{problem}' },
  backendError: { code: 500, reason: 'backendError', message: 'Backend Error' },
} as const satisfies Record<string, Row>

export type RefusalName = keyof typeof REFUSALS
export type Details = Readonly<Record<string, string | number>>
export type Fault = { readonly named: RefusalName; readonly details: Details }

/** Thrown from anywhere; `http/errors.ts` writes it out. One refusal may name several faults: the first speaks for all. */
export class Refusal extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(faults[0] ? said(faults[0]) : '')
    this.faults = faults
  }
}

export const refuse = (named: RefusalName, details: Details = {}): never => {
  throw new Refusal([{ named, details }])
}

/** Refuses with every fault found, if there is one. */
export const refuseAll = (faults: readonly Fault[]): void => {
  if (faults.length > 0) throw new Refusal(faults)
}

export const rowOf = ({ named }: Fault): Row => REFUSALS[named]
export const said = (fault: Fault): string => filled(rowOf(fault).message, fault.details)
export const filled = (text: string, details: Details): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''))
