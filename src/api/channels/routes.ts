import { stopChannel } from '../../effects/push/channels.ts'
import { CHANNEL_STOP } from '../../schema/scopes.ts'
import { endpoint } from '../endpoint.ts'

export const channels = [
  endpoint({
    id: 'calendar.channels.stop',
    path: '/channels/stop',
    summary: 'Stops watching resources through a channel.',
    scopes: CHANNEL_STOP,
    params: {},
    request: 'Channel',
    // The reply is empty. Throws for a missing id or resource id, and for a channel that the caller cannot stop.
    handle: ({ world, caller, body }) => stopChannel(world, caller, body),
  }),
]
