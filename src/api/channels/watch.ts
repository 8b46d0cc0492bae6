import { openChannel } from '../../effects/push/channels.ts'
import type { Resource } from '../../model/channel.ts'
import type { Params } from '../../schema/params.ts'
import type { Role } from '../../schema/roles.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'

/** Returns the `watch` method of a list, with the same parameters, scopes and role (behaviour 6.1.1). */
export const watchOf = ({ path, scopes, role, params }: Endpoint, resource: Resource, summary: string): Endpoint =>
  endpoint<Params, 'Channel', Role>({
    id: `calendar.${resource}.watch`,
    path: `${path}/watch`,
    summary,
    scopes,
    ...(role && { role }),
    params,
    request: 'Channel',
    response: 'Channel',
    subscription: true,
    handle: ({ world, calendar, caller, rootUrl, webhooks = 'loopback', params: { calendarId, ...values }, body }) =>
      openChannel(world, caller, body, {
        rootUrl,
        webhooks,
        resource,
        ...(role && { calendar }),
        path: path.replace('{calendarId}', () => String(calendarId)),
        query: withoutDefaults(params, values),
      }),
  })

/** Returns the parameters without those at their default, which `resourceUri` leaves out (behaviour 6.1.8). */
const withoutDefaults = (params: Params, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => String(value) !== params[name]?.default))
