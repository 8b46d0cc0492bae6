import { z } from 'zod'
import { PROGRESS } from '../push/messages.ts'
import type { Next, Which } from '../push/notifications.ts'
import { durationOf } from '../time/clock.ts'
import { Misfit, nothing, of, operation, WaitedInVain } from './operation.ts'

const BASE = '/_control/notifications'
const channelId = z.string().min(1)
const one = z.strictObject({ channelId: channelId.optional() })
const count = z.int().min(1).max(10_000)
/** `count` is the older name of `times`. */
const next = one.extend({ times: count.optional(), count: count.optional() })

/** How often an order holds, as a reply says it. */
function often({ times, count, ...rest }: Next, usually = 1) {
  return { times: times ?? count ?? usually, ...(count !== undefined && { count }), ...rest }
}

/** Refuses both names at once. */
function once(next: Next): Next {
  if (next.times !== undefined && next.count !== undefined)
    throw new Misfit('count', 'count is the older name of times: give one')
  return next
}
const duration = z.union([z.string(), z.number()])
const LONGEST_WAIT = 60_000

const notification = z.object({
  id: z.int(),
  channelId: z.string(),
  number: z.int(),
  state: z.enum(['sync', 'exists', 'not_exists']),
  address: z.string(),
  made: z.iso.datetime(),
  progress: z.enum(PROGRESS),
  attempts: z.array(z.object({ at: z.iso.datetime(), code: z.int().optional(), error: z.string().optional() })),
  headers: z.record(z.string(), z.string()),
  note: z.string().optional(),
})
const channel = z.object({
  id: z.string(),
  state: z.enum(['live', 'stopped', 'expired']),
  account: z.string(),
  resource: z.string(),
  calendarId: z.string().optional(),
  eventTypes: z.array(z.string()).optional(),
  resourceId: z.string(),
  resourceUri: z.string(),
  address: z.string(),
  token: z.string().optional(),
  expiration: z.iso.datetime(),
  messages: z.int(),
  delivered: z.int(),
})
const fate = <N extends string>(name: N) =>
  z.object({ next: z.literal(name), times: z.int(), count: z.int().optional(), channelId: z.string().optional() })

type Patience = { timeout?: string | number | undefined }

/** A time-out of real milliseconds, which somebody has to sit through. */
export function patience({ timeout }: Patience): number | undefined {
  if (timeout === undefined) return undefined
  const asked = of('timeout', () => durationOf(timeout))
  if (asked > LONGEST_WAIT) throw new Misfit('timeout', 'at most 60s')
  return asked
}

/** Push messages: what became of them, and what becomes of the next ones. */
export const notifications = [
  operation({
    id: 'control.channels.list',
    verb: 'GET',
    path: '/_control/channels',
    summary: 'Lists the channels that there are and were.',
    result: z.object({ channels: z.array(channel) }),
    inProcess: { channels: nothing },
    run: ({ realm }) => realm.notifications.channels(),
    reply: (channels) => ({ channels }),
  }),
  operation({
    id: 'control.notifications.list',
    verb: 'GET',
    path: BASE,
    summary:
      'Lists the latest messages, of a channel or of a progress: their headers, and every attempt to deliver them.',
    input: z.object({ channelId: channelId.optional(), progress: z.enum(PROGRESS).optional() }),
    example: { progress: 'delivered' },
    result: z.object({ notifications: z.array(notification) }),
    inProcess: { 'notifications.list': (which: Which = {}) => which },
    run: ({ realm }, which) => realm.notifications.list(which),
    reply: (notifications) => ({ notifications }),
  }),
  operation({
    id: 'control.notifications.settle',
    verb: 'POST',
    path: `${BASE}/settle`,
    summary: 'Waits until no message is on its way, for at most a `timeout`.',
    input: z.strictObject({ timeout: duration.optional() }),
    example: { timeout: '5s' },
    result: z.object({ settled: z.literal(true) }),
    inProcess: { 'notifications.settled': ({ timeout }: Patience = {}) => ({ timeout }) },
    async run({ realm }, input) {
      if (!(await realm.notifications.settled(patience(input))))
        throw new WaitedInVain('messages are still on their way')
    },
    reply: () => ({ settled: true }),
  }),
  operation({
    id: 'control.notifications.wait',
    verb: 'POST',
    path: `${BASE}/wait`,
    summary: 'Waits until a channel has had so many messages delivered, and returns them.',
    input: z.strictObject({ channelId, count: count.optional(), timeout: duration.optional() }),
    example: { channelId: 'mine', count: 2, timeout: '5s' },
    result: z.object({ notifications: z.array(notification) }),
    inProcess: {
      'notifications.until': (channelId: string, count: number, { timeout }: Patience = {}) => ({
        channelId,
        count,
        timeout,
      }),
    },
    async run({ realm: { notifications } }, { channelId, count = 1, timeout }) {
      const met = await notifications.until(channelId, count, patience({ timeout }))
      const delivered = notifications.list({ channelId, progress: 'delivered' })
      if (met) return delivered
      throw new WaitedInVain(`channel ${channelId}: ${delivered.length} of ${count} messages were delivered in time`)
    },
    reply: (notifications) => ({ notifications }),
  }),
  operation({
    id: 'control.notifications.hold',
    verb: 'POST',
    path: `${BASE}/hold`,
    summary: 'Keeps back the messages of a channel, or all, until they are released.',
    input: one,
    example: { channelId: 'mine' },
    result: z.object({ held: z.string() }),
    inProcess: { 'notifications.hold': (channelId?: string) => ({ channelId }) },
    run: ({ realm }, { channelId }) => realm.notifications.hold(channelId),
    reply: (_, { channelId }) => ({ held: channelId ?? 'all' }),
  }),
  operation({
    id: 'control.notifications.release',
    verb: 'POST',
    path: `${BASE}/release`,
    summary: 'Lets go of the messages of a channel, or of all that are held.',
    input: one,
    example: { channelId: 'mine' },
    result: z.object({ released: z.string() }),
    inProcess: { 'notifications.release': (channelId?: string) => ({ channelId }) },
    run: ({ realm }, { channelId }) => realm.notifications.release(channelId),
    reply: (_, { channelId }) => ({ released: channelId ?? 'all' }),
  }),
  operation({
    id: 'control.notifications.drop',
    verb: 'POST',
    path: `${BASE}/drop`,
    summary: 'Loses the next message, or as many as `times` says.',
    input: next,
    example: { times: 2, channelId: 'mine' },
    result: fate('drop'),
    inProcess: { 'notifications.drop': (next: Next = {}) => next },
    run: ({ realm }, next) => realm.notifications.drop(once(next)),
    reply: (_, next) => ({ next: 'drop', ...often(next) }),
  }),
  operation({
    id: 'control.notifications.duplicate',
    verb: 'POST',
    path: `${BASE}/duplicate`,
    summary: 'Sends the next message twice, or each of as many as `times` says.',
    input: next,
    example: { times: 2 },
    result: fate('duplicate'),
    inProcess: { 'notifications.duplicate': (next: Next = {}) => next },
    run: ({ realm }, next) => realm.notifications.duplicate(once(next)),
    reply: (_, next) => ({ next: 'duplicate', ...often(next) }),
  }),
  operation({
    id: 'control.notifications.delay',
    verb: 'POST',
    path: `${BASE}/delay`,
    summary: "Sends the next message later by the world's clock, or each of as many as `times` says.",
    input: next.extend({ by: duration }),
    example: { by: '10m' },
    result: fate('delay').extend({ by: duration }),
    inProcess: { 'notifications.delay': (by: string | number, next: Next = {}) => ({ ...next, by }) },
    run({ realm }, { by, ...next }) {
      const later = of('by', () => durationOf(by))
      realm.notifications.delay(later, once(next))
    },
    reply: (_, next) => ({ next: 'delay', ...often(next) }),
  }),
  operation({
    id: 'control.notifications.reorder',
    verb: 'POST',
    path: `${BASE}/reorder`,
    summary: 'Gathers the next two messages, or as many as `times` says, and sends them last first.',
    input: next.extend({ times: count.min(2).optional(), count: count.min(2).optional() }),
    example: { times: 3 },
    result: fate('reorder'),
    inProcess: { 'notifications.reorder': (next: Next = {}) => next },
    run: ({ realm }, next) => realm.notifications.reorder(once(next)),
    reply: (_, next) => ({ next: 'reorder', ...often(next, 2) }),
  }),
  operation({
    id: 'control.notifications.replay',
    verb: 'POST',
    path: `${BASE}/replay`,
    summary: 'Sends a message of the list once more.',
    input: z.strictObject({ id: z.int() }),
    example: { id: 7 },
    result: z.object({ notification }),
    inProcess: { 'notifications.replay': (id: number) => ({ id }) },
    run({ realm }, { id }) {
      const notification = realm.notifications.replay(id)
      if (notification) return notification
      throw new Misfit('id', `no message ${id}`)
    },
    reply: (notification) => ({ notification }),
  }),
] as const
