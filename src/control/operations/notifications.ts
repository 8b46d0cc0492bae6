import { z } from 'zod'
import { PROGRESS } from '../../effects/push/messages.ts'
import { parseDuration } from '../../model/clock.ts'
import { strictShape } from './inputs.ts'
import { defineOperation, InvalidInputError, TimeoutError, withErrorField } from './operation.ts'

const channelId = z.string().min(1)
const one = strictShape({ channelId: channelId.optional() })
const count = z.int().min(1).max(10_000)
const next = one.extend({ times: count.optional() })
const duration = z.union([z.string(), z.number()])
const MAX_WAIT_MS = 60_000

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
const createRuleSchema = <N extends string>(name: N) =>
  z.object({ next: z.literal(name), times: z.int(), channelId: z.string().optional() })

type TimeoutInput = { timeout?: string | number | undefined }

/**
 * Returns a timeout in real milliseconds, or undefined without one. Throws an InvalidInputError for an invalid
 * duration, and above 60 s.
 */
export function parseTimeout({ timeout }: TimeoutInput): number | undefined {
  if (timeout === undefined) return undefined
  const limit = withErrorField('timeout', () => parseDuration(timeout))
  if (limit > MAX_WAIT_MS) throw new InvalidInputError('timeout', 'at most 60s')
  return limit
}

export const notifications = {
  channels: defineOperation({
    summary: 'Lists all channels, including those that have ended.',
    result: z.object({ channels: z.array(channel) }),
    run: ({ world }) => world.notifications.channels(),
  }),
  'notifications.list': defineOperation({
    summary: 'Lists the latest messages, all or by channel or progress, with their headers and delivery attempts.',
    input: strictShape({ channelId: channelId.optional(), progress: z.enum(PROGRESS).optional() }),
    example: { progress: 'delivered' },
    result: z.object({ notifications: z.array(notification) }),
    run: ({ world }, which) => world.notifications.list(which),
  }),
  'notifications.settled': defineOperation({
    summary: 'Waits until no message is pending, for at most a `timeout`.',
    input: strictShape({ timeout: duration.optional() }),
    example: { timeout: '5s' },
    result: z.object({ settled: z.literal(true) }),
    async run({ world, signal }, input) {
      if (!(await world.notifications.settled(parseTimeout(input), signal)))
        throw new TimeoutError('messages were still pending after the timeout; their list shows the progress of each')
    },
    reply: () => ({ settled: true }),
  }),
  'notifications.until': defineOperation({
    summary: 'Waits until so many messages of a channel are delivered, and returns them.',
    input: strictShape({ channelId, count: count.optional(), timeout: duration.optional() }),
    example: { channelId: 'mine', count: 2, timeout: '5s' },
    result: z.object({ notifications: z.array(notification) }),
    async run({ world: { notifications }, signal }, { channelId, count = 1, timeout }) {
      const met = await notifications.until(channelId, count, parseTimeout({ timeout }), signal)
      const delivered = notifications.list({ channelId, progress: 'delivered' })
      if (met) return delivered
      throw new TimeoutError(`channel ${channelId}: ${delivered.length} of ${count} messages were delivered in time`)
    },
  }),
  'notifications.hold': defineOperation({
    summary: 'Holds the messages of a channel, or of all channels, until they are released.',
    input: one,
    example: { channelId: 'mine' },
    result: z.object({ held: z.string() }),
    run: ({ world }, { channelId }) => world.notifications.hold(channelId),
    reply: (_, { channelId }) => ({ held: channelId ?? 'all' }),
  }),
  'notifications.release': defineOperation({
    summary: 'Sends the held messages of a channel, or of all channels.',
    input: one,
    example: { channelId: 'mine' },
    result: z.object({ released: z.string() }),
    run: ({ world }, { channelId }) => world.notifications.release(channelId),
    reply: (_, { channelId }) => ({ released: channelId ?? 'all' }),
  }),
  'notifications.drop': defineOperation({
    summary: 'Drops the next message, or the next `times` messages.',
    input: next,
    example: { times: 2, channelId: 'mine' },
    result: createRuleSchema('drop'),
    run: ({ world }, next) => world.notifications.drop(next),
    reply: (_, next) => ({ next: 'drop', times: 1, ...next }),
  }),
  'notifications.duplicate': defineOperation({
    summary: 'Sends the next message, or each of the next `times` messages, twice.',
    input: next,
    example: { times: 2 },
    result: createRuleSchema('duplicate'),
    run: ({ world }, next) => world.notifications.duplicate(next),
    reply: (_, next) => ({ next: 'duplicate', times: 1, ...next }),
  }),
  'notifications.delay': defineOperation({
    summary: "Delays the next message, or each of the next `times` messages, by the world's clock.",
    input: next.extend({ by: duration }),
    example: { by: '10m' },
    result: createRuleSchema('delay').extend({ by: duration }),
    run({ world }, { by, ...next }) {
      const later = withErrorField('by', () => parseDuration(by))
      world.notifications.delay(later, next)
    },
    reply: (_, next) => ({ next: 'delay', times: 1, ...next }),
  }),
  'notifications.reorder': defineOperation({
    summary: 'Collects the next two messages, or the next `times`, and sends the last one first.',
    input: next.extend({ times: count.min(2).optional() }),
    example: { times: 3 },
    result: createRuleSchema('reorder'),
    run: ({ world }, next) => world.notifications.reorder(next),
    reply: (_, next) => ({ next: 'reorder', times: 2, ...next }),
  }),
  'notifications.replay': defineOperation({
    summary: 'Sends a message of the list again.',
    input: strictShape({ id: z.int() }),
    example: { id: 7 },
    result: z.object({ notification }),
    run({ world }, { id }) {
      const notification = world.notifications.replay(id)
      if (notification) return notification
      throw new InvalidInputError('id', `there is no message ${id}; the list of messages has the latest ids`)
    },
  }),
}
