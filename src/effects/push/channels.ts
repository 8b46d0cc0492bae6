import type { Channel, Resource } from '../../model/channel.ts'
import { digest } from '../../model/ids.ts'
import type { Caller, StoredCalendar, WorldData } from '../../model/worldData.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import { apiError, PROJECT, throwApiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { ChannelBody } from '../../schema/bodies.ts'
import { isLocalNetwork, isLoopback } from '../../schema/values/loopback.ts'
import { epochOf, worldNameOf } from '../../sync/epochs.ts'

/** The receivers that messages are posted to: those on this machine, or all. */
export type WebhookScope = 'loopback' | 'any'

export type Watched = {
  rootUrl: string
  webhooks: WebhookScope
  resource: Resource
  calendar?: StoredCalendar
  path: string
  query: Readonly<Record<string, unknown>>
}

const ID = /^[A-Za-z0-9\-_+/=]{1,64}$/
const MAX_TOKEN_LENGTH = 256
const TYPES = ['web_hook', 'webhook']
const VIRTUAL = /@(group\.v|import)\.calendar\.google\.com$/

/** Opens a channel on a list (behaviour 6.1). Writing its record causes the `sync` message. */
export function openChannel(world: WorldData, caller: Caller, body: ChannelBody, watched: Watched): object {
  const account = caller.email ?? throwApiError('loginRequired')
  const { resource, calendar, query } = watched
  if (calendar && VIRTUAL.test(calendar.id)) throw apiError('pushNotSupported')
  const given = (field: 'id' | 'type' | 'address') =>
    body[field] || throwApiError('channelFieldRequired', { location: field })
  const [id, type, address] = [given('id'), given('type'), given('address')]
  if (!ID.test(id)) throwInvalidValue('id', 'at most 64 of A-Z, a-z, 0-9, -_+/=')
  if (!TYPES.includes(type)) throw apiError('unknownChannelType', { type })
  const token = tokenOf(body)
  requireReceiver(address, watched.webhooks)
  const expiration = expirationOf(body, world.clock.now())
  if (isLiveChannel(world, world.channels.get(id))) throw apiError('channelIdNotUnique')
  const channel = world.channels.put(id, () => ({
    id,
    account,
    resource,
    ...(calendar && { calendarId: calendar.id }),
    ...(Array.isArray(query.eventTypes) && { eventTypes: query.eventTypes }),
    // 27 url-safe characters: the same for every channel of an account on a resource (behaviour 6.1.4).
    resourceId: digest(`${account} ${resource} ${calendar?.id ?? ''}`, 'sha1'),
    resourceUri: uriOf(watched),
    originWorld: worldNameOf(epochOf(world.store)),
    address,
    ...(token && { token }),
    expiration,
  }))
  world.channelListener?.onFirstChannel()
  return showChannel(channel)
}

/** Returns the URI of a channel's resource in a world: a channel that a fork has from its origin names the fork. */
export function resourceUriIn(
  world: WorldData,
  { originWorld: origin, resourceUri }: Pick<Channel, 'originWorld' | 'resourceUri'>,
): string {
  const name = worldNameOf(epochOf(world.store))
  if (origin === undefined || origin === name) return resourceUri
  return resourceUri.replace(/(\/w\/[^/]+)?\/calendar\/v3\//, `/w/${name}/calendar/v3/`)
}

/** Has neither address nor type (behaviour 6.1.2). */
const showChannel = ({ id, resourceId, resourceUri, token, expiration }: Channel) => ({
  kind: 'api#channel',
  id,
  resourceId,
  resourceUri,
  ...(token && { token }),
  expiration: String(expiration),
})

/** It is sent as a header, so it must not contain control characters. */
function tokenOf({ token }: ChannelBody): string | undefined {
  if (token && token.length > MAX_TOKEN_LENGTH) throwInvalidValue('token', 'at most 256 characters')
  if (token && /\p{Cc}/u.test(token)) throwInvalidValue('token', 'no control characters')
  return token ?? undefined
}

const WEEK = 7 * DAY_MS
const MAX_LIFETIME_MS = 30 * DAY_MS

/** The instant by `expiration`, else by `params.ttl`, in whole seconds: at most a month, by default a week. */
function expirationOf({ expiration, params }: ChannelBody, now: number): number {
  const ttl = params?.ttl ?? undefined
  if (ttl !== undefined && !/^\d+$/.test(ttl)) throwInvalidValue('params.ttl', 'not seconds')
  const requested = expiration ? Number(expiration) : ttl === undefined ? now + WEEK : now + Number(ttl) * 1000
  const ends = Math.floor(Math.min(requested, now + MAX_LIFETIME_MS) / 1000) * 1000
  return ends > now ? ends : throwInvalidValue(expiration ? 'expiration' : 'params.ttl', 'over')
}

const SERVICE = 'calendar/v3'

/** The URI has the calendar and the query of the request, and `alt` (behaviour 6.1.3). */
function uriOf({ rootUrl, path, query }: Watched): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)] as const),
  )
  const requested = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}&`).join('')
  return `${rootUrl}${SERVICE}${encodeURI(path).replaceAll('#', '%23')}?${requested}alt=json`
}

/** The id of a channel that was stopped or has expired is free. */
export const isLiveChannel = (world: WorldData, channel: Channel | undefined): channel is Channel =>
  channel !== undefined &&
  !channel.stopped &&
  channel.expiration > world.clock.now() &&
  world.channels.get(channel.id) === channel

/** Stops a channel. The caller must be the account that opened it, and `resourceId` must match (behaviour 6.3). */
export function stopChannel(world: WorldData, { email }: Caller, body: ChannelBody): void {
  const id = body.id || throwApiError('channelFieldRequired', { location: 'id' })
  const resourceId = body.resourceId || throwApiError('channelFieldRequired', { location: 'resourceId' })
  const channel = world.channels.get(id)
  const found = isLiveChannel(world, channel) && channel.resourceId === resourceId && channel.account === email
  const ended = found ? channel : throwApiError('channelNotFound', { id, project: PROJECT })
  world.channels.put(id, () => ({ ...ended, stopped: true }))
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

export function isPemCertificates(text: unknown): boolean {
  const found = typeof text === 'string' ? (text.match(CERTIFICATE) ?? []) : []
  // Loaded on first use, because few servers have certificates.
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  try {
    return found.map((one) => new X509Certificate(one)).length > 0
  } catch {
    return false
  }
}

/**
 * Throws `webhookUrlNotHttps` unless the address is https (behaviour 6.1.6), or http to a loopback address, where the receiver
 * of a test listens; with the scope `any` also http to the local network, where other containers are.
 */
function requireReceiver(address: string, scope: WebhookScope): void {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'https:') return
  if (url?.protocol === 'http:' && (isLoopback(url.hostname) || (scope === 'any' && isLocalNetwork(url.hostname))))
    return
  throw apiError('webhookUrlNotHttps', { url: address })
}
