const BASE = 'https://www.googleapis.com/auth/'
const scopes = (...names: string[]): readonly string[] =>
  names.map((name) => `${BASE}calendar${name && `.${name}`}`).sort()

const ALL = ''

const MEANINGS: Record<string, string> = {
  '': 'See, edit, share, and permanently delete all the calendars you can access',
  acls: 'See and change the sharing permissions of calendars you own',
  'acls.readonly': 'See the sharing permissions of calendars you own',
  'app.created': 'Make secondary calendars, and see, create, change, and delete events on them',
  calendarlist: 'See, add, and remove calendars you are subscribed to',
  'calendarlist.readonly': 'See the list of calendars you are subscribed to',
  calendars: 'See and change the properties of calendars you have access to, and create secondary calendars',
  'calendars.readonly': 'See the title, description, time zone, and other properties of calendars you have access to',
  events: 'View and edit events on all your calendars',
  'events.freebusy': 'See the availability on calendars you have access to',
  'events.owned': 'See, create, change, and delete events on calendars you own',
  'events.owned.readonly': 'See the events on calendars you own',
  'events.public.readonly': 'See the events on public calendars',
  'events.readonly': 'View events on all your calendars',
  freebusy: 'View your availability in your calendars',
  readonly: 'See and download any calendar you can access',
  settings: 'See and change your calendar settings',
  'settings.readonly': 'View your calendar settings',
}

/** The consent page shows the descriptions. */
export const SCOPES: Record<string, { description: string }> = Object.fromEntries(
  Object.entries(MEANINGS).map(([name, description]) => [...scopes(name), { description }]),
)

// A token needs one scope of the set. `LIST_…` are those of the calendar list.
export const ACL_WRITE = scopes(ALL, 'acls')
export const ACL_LIST = scopes(ALL, 'acls', 'acls.readonly')
export const ACL_GET = scopes(ALL, 'acls', 'acls.readonly', 'readonly')

export const LIST_ADD = scopes(ALL, 'calendarlist')
export const LIST_WRITE = scopes(ALL, 'app.created', 'calendarlist')
export const LIST_READ = scopes(ALL, 'calendarlist', 'calendarlist.readonly', 'readonly')
export const LIST_GET = scopes(ALL, 'app.created', 'calendarlist', 'calendarlist.readonly', 'readonly')

export const CALENDAR_CLEAR = scopes(ALL, 'calendars')
export const CALENDAR_WRITE = scopes(ALL, 'app.created', 'calendars')
export const CALENDAR_READ = scopes(ALL, 'app.created', 'calendars', 'calendars.readonly', 'readonly')

const EVENT_VIEWS = ['events.freebusy', 'events.owned', 'events.owned.readonly', 'events.public.readonly'] as const
export const EVENT_MOVE = scopes(ALL, 'events', 'events.owned')
export const EVENT_WRITE = scopes(ALL, 'app.created', 'events', 'events.owned')
export const EVENT_READ = scopes(ALL, 'app.created', 'events', ...EVENT_VIEWS, 'events.readonly', 'readonly')

const LIST_SCOPES = ['app.created', 'calendarlist', 'calendarlist.readonly'] as const
export const COLORS_READ = scopes(ALL, ...LIST_SCOPES, ...EVENT_VIEWS, 'readonly')
export const CHANNEL_STOP = scopes(
  ALL,
  'acls',
  'acls.readonly',
  ...LIST_SCOPES,
  'events',
  ...EVENT_VIEWS,
  'events.readonly',
  'readonly',
  'settings',
  'settings.readonly',
)

export const FREEBUSY = scopes(ALL, 'events.freebusy', 'freebusy', 'readonly')
export const SETTINGS_READ = scopes(ALL, 'readonly', 'settings', 'settings.readonly')

/**
 * A limited view (behaviour 1.5.1): only calendars that the account owns; only the times of events; only what is public; or only
 * calendars that the OAuth client of the token created.
 */
export type ScopeView = 'owned' | 'times' | 'public' | 'made'

const VIEW_BY_SCOPE: Record<string, ScopeView> = {
  [`${BASE}calendar.events.owned`]: 'owned',
  [`${BASE}calendar.events.owned.readonly`]: 'owned',
  [`${BASE}calendar.events.freebusy`]: 'times',
  [`${BASE}calendar.events.public.readonly`]: 'public',
  [`${BASE}calendar.app.created`]: 'made',
}

/**
 * Undefined if one of the token's scopes gives the full view. `accepted` are the scopes of the method and `granted` those of the
 * token, as URLs. Without one in common the result is an empty list, a view of nothing.
 */
export function scopeViewsOf(accepted: readonly string[], granted: readonly string[]): ScopeView[] | undefined {
  const usable = granted.filter((scope) => accepted.includes(scope))
  const views = usable.map((scope) => VIEW_BY_SCOPE[scope])
  return views.every((view) => view !== undefined) ? views : undefined
}
