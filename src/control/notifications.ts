import { z } from 'zod'
import { PROGRESS } from '../push/messages.ts'
import { durationOf } from '../store/clock.ts'
import { refuse } from '../wire/refusals.ts'
import { control, timely } from './endpoint.ts'

const BASE = '/_control/notifications'
const channelId = z.string().min(1)
const one = z.strictObject({ channelId: channelId.optional() })
const count = z.int().min(1).max(10_000)
const next = one.extend({ count: count.optional() })
const duration = z.union([z.string(), z.number()])
const LONGEST_WAIT = 60_000

/** A time-out of real milliseconds, which somebody at the other end of a socket has to sit through. */
function patience(timeout: string | number | undefined): number | undefined {
  if (timeout === undefined) return undefined
  const asked = timely('timeout', () => durationOf(timeout))
  return asked <= LONGEST_WAIT ? asked : refuse('invalidValue', { field: 'timeout', problem: 'at most 60s' })
}

/** Push messages: what became of them, and what becomes of the next ones. */
export const notifications = [
  control({
    id: 'control.channels.list',
    verb: 'GET',
    path: '/_control/channels',
    summary: 'Lists the channels that there are and were.',
    handle: ({ realm }) => ({ channels: realm.notifications.channels() }),
  }),
  control({
    id: 'control.notifications.list',
    verb: 'GET',
    path: BASE,
    summary:
      'Lists the latest messages, of a channel or of a progress: their headers, and every attempt to deliver them.',
    query: z.object({ channelId: channelId.optional(), progress: z.enum(PROGRESS).optional() }),
    handle: ({ realm, query }) => ({ notifications: realm.notifications.list(query) }),
  }),
  control({
    id: 'control.notifications.settle',
    verb: 'POST',
    path: `${BASE}/settle`,
    summary: 'Waits until no message is on its way.',
    body: z.strictObject({ timeout: duration.optional() }),
    handle: async ({ realm, body: { timeout } }) => ({
      settled:
        (await realm.notifications.settled(patience(timeout))) ||
        refuse('waitedInVain', { problem: 'messages are still on their way' }),
    }),
  }),
  control({
    id: 'control.notifications.wait',
    verb: 'POST',
    path: `${BASE}/wait`,
    summary: 'Waits until a channel has had so many messages delivered, and returns them.',
    body: z.strictObject({ channelId, count: count.optional(), timeout: duration.optional() }),
    handle: async ({ realm: { notifications }, body: { channelId, count = 1, timeout } }) => {
      const met = await notifications.until(channelId, count, patience(timeout))
      const delivered = notifications.list({ channelId, progress: 'delivered' })
      const problem = `channel ${channelId}: ${delivered.length} of ${count} messages were delivered in time`
      return met ? { notifications: delivered } : refuse('waitedInVain', { problem })
    },
  }),
  control({
    id: 'control.notifications.hold',
    verb: 'POST',
    path: `${BASE}/hold`,
    summary: 'Keeps back the messages of a channel, or all, until they are released.',
    body: one,
    handle: ({ realm, body }) => {
      realm.notifications.hold(body.channelId)
      return { held: body.channelId ?? 'all' }
    },
  }),
  control({
    id: 'control.notifications.release',
    verb: 'POST',
    path: `${BASE}/release`,
    summary: 'Lets go of the messages of a channel, or of all that are held.',
    body: one,
    handle: ({ realm, body }) => {
      realm.notifications.release(body.channelId)
      return { released: body.channelId ?? 'all' }
    },
  }),
  control({
    id: 'control.notifications.drop',
    verb: 'POST',
    path: `${BASE}/drop`,
    summary: 'Loses the next message, or the next few.',
    body: next,
    handle: ({ realm, body }) => {
      realm.notifications.drop(body)
      return { next: 'drop', count: 1, ...body }
    },
  }),
  control({
    id: 'control.notifications.duplicate',
    verb: 'POST',
    path: `${BASE}/duplicate`,
    summary: 'Sends the next message, or each of the next few, twice.',
    body: next,
    handle: ({ realm, body }) => {
      realm.notifications.duplicate(body)
      return { next: 'duplicate', count: 1, ...body }
    },
  }),
  control({
    id: 'control.notifications.delay',
    verb: 'POST',
    path: `${BASE}/delay`,
    summary: "Sends the next message, or each of the next few, later by the world's clock.",
    body: next.extend({ by: duration }),
    handle: ({ realm, body }) => {
      realm.notifications.delay(
        timely('by', () => durationOf(body.by)),
        body,
      )
      return { next: 'delay', count: 1, ...body }
    },
  }),
  control({
    id: 'control.notifications.reorder',
    verb: 'POST',
    path: `${BASE}/reorder`,
    summary: 'Gathers the next two messages, or more, and sends them last first.',
    body: next.extend({ count: count.min(2).optional() }),
    handle: ({ realm, body }) => {
      realm.notifications.reorder(body)
      return { next: 'reorder', count: 2, ...body }
    },
  }),
  control({
    id: 'control.notifications.replay',
    verb: 'POST',
    path: `${BASE}/replay`,
    summary: 'Sends a message once more.',
    body: z.strictObject({ id: z.int() }),
    handle: ({ realm, body: { id } }) => ({
      notification:
        realm.notifications.replay(id) ?? refuse('invalidValue', { field: 'id', problem: `no message ${id}` }),
    }),
  }),
]
