import { openChannel } from '../../push/channels.ts'
import type { Params } from '../../wire/params.ts'
import type { Role } from '../../wire/roles.ts'
import type { Resource } from '../../world/channel.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'

/** The watch beside a list: it takes what the list takes, from whoever may read the list (behaviour 6.1.1). */
export const watchOf = ({ path, scopes, role, params }: Endpoint, resource: Resource, summary: string): Endpoint =>
  endpoint<Params, 'Channel', Role>({
    id: `calendar.${resource}.watch`,
    verb: 'POST',
    path: `${path}/watch`,
    summary,
    scopes,
    ...(role && { role }),
    params,
    request: 'Channel',
    response: 'Channel',
    subscription: true,
    handle: ({ world, calendar, caller, rootUrl, params: { calendarId, ...values }, body }) =>
      openChannel(world, caller, body, {
        rootUrl,
        resource,
        ...(role && { calendar }),
        path: path.replace('{calendarId}', () => String(calendarId)),
        query: withoutDefaults(params, values),
      }),
  })

/** What a request gave: what goes without saying is not in the address that its answer names (behaviour 6.1.8). */
const withoutDefaults = (params: Params, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => String(value) !== params[name]?.default))
