import { FLAG, PATH, TEXT } from '../../schema/params.ts'
import { CALENDAR_CLEAR, CALENDAR_READ, CALENDAR_WRITE } from '../../schema/scopes.ts'
import { endpoint, updateEndpoints } from '../endpoint.ts'
import {
  clearCalendar,
  deleteCalendar,
  insertCalendar,
  showCalendar,
  transferOwnership,
  updateCalendar,
} from './calendars.ts'

const CALENDAR = '/calendars/{calendarId}'
const calendarParams = { calendarId: PATH } as const

export const calendars = [
  endpoint({
    id: 'calendar.calendars.clear',
    path: `${CALENDAR}/clear`,
    summary: 'Clears a primary calendar: deletes all its events.',
    scopes: CALENDAR_CLEAR,
    role: 'owner',
    params: calendarParams,
    handle: ({ world, calendar }) => clearCalendar(world, calendar),
  }),
  endpoint({
    id: 'calendar.calendars.delete',
    path: CALENDAR,
    summary: 'Deletes a secondary calendar.',
    scopes: CALENDAR_WRITE,
    role: 'owner',
    params: calendarParams,
    handle: ({ world, calendar, caller, ifMatch }) => deleteCalendar(world, calendar, { caller, ifMatch }),
  }),
  endpoint({
    id: 'calendar.calendars.get',
    path: CALENDAR,
    summary: 'Returns metadata for a calendar.',
    scopes: CALENDAR_READ,
    role: 'freeBusyReader',
    public: true,
    params: calendarParams,
    response: 'Calendar',
    handle: ({ calendar }) => showCalendar(calendar),
  }),
  endpoint({
    id: 'calendar.calendars.insert',
    path: '/calendars',
    summary: 'Creates a secondary calendar.',
    scopes: CALENDAR_WRITE,
    params: {},
    request: 'Calendar',
    response: 'Calendar',
    handle: ({ world, caller, body }) => insertCalendar(world, caller, body),
  }),
  endpoint({
    id: 'calendar.calendars.transferOwnership',
    path: `${CALENDAR}/transferOwnership`,
    summary: 'Transfers the data ownership of a secondary calendar to another user.',
    scopes: CALENDAR_CLEAR,
    params: {
      ...calendarParams,
      newDataOwner: { ...TEXT, required: true },
      useAdminAccess: { ...FLAG, required: true },
    },
    handle: ({ world, caller, params }) => transferOwnership(world, caller, params),
  }),
  ...updateEndpoints(
    'calendars',
    'Updates metadata for a calendar.',
    {
      path: CALENDAR,
      scopes: CALENDAR_WRITE,
      role: 'owner',
      params: calendarParams,
      request: 'Calendar',
      response: 'Calendar',
    },
    (how) =>
      ({ world, calendar, body, ifMatch }) =>
        updateCalendar(world, calendar, body, how, ifMatch),
  ),
]
