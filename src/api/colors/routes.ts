import { COLORS } from '../../model/events/fieldValues.ts'
import { COLORS_READ } from '../../schema/scopes.ts'
import { endpoint } from '../endpoint.ts'

export const colors = [
  endpoint({
    id: 'calendar.colors.get',
    path: '/colors',
    summary: 'Returns the color definitions for calendars and events.',
    scopes: COLORS_READ,
    public: true,
    params: {},
    response: 'Colors',
    handle: () => COLORS,
  }),
]
