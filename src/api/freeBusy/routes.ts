import { FREEBUSY } from '../../schema/scopes.ts'
import { endpoint } from '../endpoint.ts'
import { queryFreeBusy } from './query.ts'

export const freebusy = [
  endpoint({
    id: 'calendar.freebusy.query',
    verb: 'POST',
    path: '/freeBusy',
    summary: 'Returns free/busy information for a set of calendars.',
    scopes: FREEBUSY,
    public: true,
    params: {},
    request: 'FreeBusyRequest',
    response: 'FreeBusyResponse',
    handle: ({ world, caller, body }) => queryFreeBusy(world, caller, body),
  }),
]
