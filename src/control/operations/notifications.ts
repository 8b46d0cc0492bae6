import { z } from 'zod'
import { PROGRESS } from '../../effects/push/messages.ts'
import type { NextMessages, Notifications } from '../../effects/push/notifications.ts'
import { listNames } from '../../schema/values/limitLines.ts'
import { toShown } from '../../schema/values/shownText.ts'
import type { WaitOptions } from '../types/messages.ts'
import { duration, returns, strictShape, wait } from './inputs.ts'
import { defineOperation, InvalidInputError, TimeoutError } from './operation.ts'

const channelId = z.string().min(1)
const one = strictShape({ channelId: channelId.optional() })
const count = z.int().min(1).max(10_000)
const next = one.extend({ times: count.optional() })
const toChannel = (channelId?: string) => ({ channelId })

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
const list = returns({ notifications: z.array(notification) })

/** Accepts any channel of a world without channels, because a test may wait before its first watch. */
function requireChannel(notifications: Notifications, channelId: string): void {
  const known = notifications.channels().map(({ id }) => id)
  if (known.length === 0 || known.includes(channelId)) return
  throw new InvalidInputError('channelId', `there is no channel ${toShown(channelId)}; there is ${listNames(known)}`)
}

function describeMissing(notifications: Notifications, channelId: string, count: number): string {
  const messages = notifications.list({ channelId })
  const [withheld, ...more] = messages.filter(({ progress }) => progress === 'withheld')
  if (withheld)
    return `${more.length + 1} ${more.length === 0 ? 'message is' : 'messages are'} withheld: ${withheld.note}`
  const delivered = messages.filter(({ progress }) => progress === 'delivered').length
  const isWatched = notifications.channels().some(({ id }) => id === channelId)
  return `${delivered} of ${count} messages were delivered in time${isWatched ? '' : ', and there is no channel'}`
}

export const notifications = {
  channels: defineOperation({
    route: 'GET /channels',
    summary: 'Lists all channels, including those that have ended.',
    ...returns({ channels: z.array(channel) }),
    run: ({ world }) => world.notifications.channels(),
  }),
  'notifications.list': defineOperation({
    route: 'GET /notifications',
    summary: 'Lists the latest messages, all or by channel or progress, with their headers and delivery attempts.',
    input: strictShape({ channelId: channelId.optional(), progress: z.enum(PROGRESS).optional() }),
    example: { progress: 'delivered' },
    ...list,
    run: ({ world }, which) => world.notifications.list(which),
  }),
  'notifications.settled': defineOperation({
    route: 'POST /notifications/settled',
    summary: 'Waits until no message is pending, for at most a `timeout`.',
    input: strictShape({ timeout: wait.optional() }),
    example: { timeout: '5s' },
    async run({ world, signal }, { timeout }) {
      if (!(await world.notifications.settled(timeout, signal)))
        throw new TimeoutError('messages were still pending after the timeout; their list shows the progress of each')
    },
  }),
  'notifications.until': defineOperation({
    route: 'POST /notifications/until',
    summary:
      'Waits until so many messages of a channel are delivered, and returns them. If the world has other channels only, it fails at once; before the first watch it waits.',
    input: strictShape({ channelId, count: count.optional(), timeout: wait.optional() }),
    example: { channelId: 'mine', count: 2, timeout: '5s' },
    toInput: (channelId: string, count: number, options?: WaitOptions) => ({ ...options, channelId, count }),
    ...list,
    async run({ world: { notifications }, signal }, { channelId, count = 1, timeout }) {
      requireChannel(notifications, channelId)
      const met = await notifications.until(channelId, count, timeout, signal)
      const delivered = notifications.list({ channelId, progress: 'delivered' })
      if (met) return delivered
      throw new TimeoutError(`channel ${channelId}: ${describeMissing(notifications, channelId, count)}`)
    },
  }),
  'notifications.hold': defineOperation({
    route: 'POST /notifications/hold',
    summary: 'Holds the messages of a channel, or of all channels, until they are released.',
    input: one,
    example: { channelId: 'mine' },
    toInput: toChannel,
    run: ({ world }, { channelId }) => world.notifications.hold(channelId),
  }),
  'notifications.release': defineOperation({
    route: 'POST /notifications/release',
    summary: 'Sends the held messages of a channel, or of all channels.',
    input: one,
    example: { channelId: 'mine' },
    toInput: toChannel,
    run: ({ world }, { channelId }) => world.notifications.release(channelId),
  }),
  'notifications.drop': defineOperation({
    route: 'POST /notifications/drop',
    summary: 'Drops the next message, or the next `times` messages.',
    input: next,
    example: { times: 2, channelId: 'mine' },
    run: ({ world }, next) => world.notifications.addRule({ what: 'drop' }, next),
  }),
  'notifications.duplicate': defineOperation({
    route: 'POST /notifications/duplicate',
    summary: 'Sends the next message, or each of the next `times` messages, twice.',
    input: next,
    example: { times: 2 },
    run: ({ world }, next) => world.notifications.addRule({ what: 'duplicate' }, next),
  }),
  'notifications.delay': defineOperation({
    route: 'POST /notifications/delay',
    summary: "Delays the next message, or each of the next `times` messages, by the world's clock.",
    input: next.extend({ by: duration }),
    example: { by: '10m' },
    toInput: (by: string | number, next?: NextMessages) => ({ ...next, by }),
    run: ({ world }, { by, ...next }) => world.notifications.addRule({ what: 'delay', by }, next),
  }),
  'notifications.reorder': defineOperation({
    route: 'POST /notifications/reorder',
    summary: 'Collects the next two messages, or the next `times`, and sends the last one first.',
    input: next.extend({ times: count.min(2).optional() }),
    example: { times: 3 },
    run: ({ world }, { times = 2, channelId }) =>
      world.notifications.addRule({ what: 'reorder', gathered: [], count: times }, { times, channelId }),
  }),
  'notifications.replay': defineOperation({
    route: 'POST /notifications/replay',
    summary: 'Sends a message of the list again.',
    input: strictShape({ id: z.int() }),
    example: { id: 7 },
    toInput: (id: number) => ({ id }),
    ...returns({ notification }),
    run({ world }, { id }) {
      const notification = world.notifications.replay(id)
      if (notification) return notification
      throw new InvalidInputError('id', `there is no message ${id}; the list of messages has the latest ids`)
    },
  }),
}
