import { worldNameOf } from '../db/epoch.ts'
import { DAY } from '../recurrence/days.ts'
import { digest } from '../time/digest.ts'
import type { ChannelBody } from '../wire/channel.ts'
import { PROJECT, refuse } from '../wire/refusals.ts'
import type { Channel, Resource } from '../world/channel.ts'
import type { Caller, StoredCalendar, World } from '../world/world.ts'
import { webhookOf } from './webhook.ts'

/** What a watch request watches: where the service was found, the resource, and its list's path and query as the request gave them. */
export type Watched = {
  rootUrl: string
  resource: Resource
  calendar?: StoredCalendar
  path: string
  query: Readonly<Record<string, unknown>>
}

const ID = /^[A-Za-z0-9\-_+/=]{1,64}$/
const LONGEST_TOKEN = 256
const TYPES = ['web_hook', 'webhook']
/** Calendars that nobody writes to: of holidays, contacts and birthdays, and those imported by their address. */
const VIRTUAL = /@(group\.v|import)\.calendar\.google\.com$/

/** A channel on a list (behaviour 6.1). Its `sync` message follows from the record. */
export function openChannel(world: World, caller: Caller, body: ChannelBody, watched: Watched): object {
  const account = caller.email ?? refuse('loginRequired')
  const { resource, calendar, query } = watched
  if (calendar && VIRTUAL.test(calendar.id)) refuse('pushNotSupported')
  const given = (field: 'id' | 'type' | 'address') => body[field] || refuse('channelFieldRequired', { location: field })
  const [id, type, address] = [given('id'), given('type'), given('address')]
  if (!ID.test(id)) refuse('invalidValue', { field: 'id', problem: 'at most 64 of A-Z, a-z, 0-9, -_+/=' })
  if (!TYPES.includes(type)) refuse('unknownChannelType', { type })
  const token = tokenOf(body)
  webhookOf(address)
  const expiration = expirationOf(body, world.clock.now())
  if (isLive(world, world.channels.get(id))) refuse('channelIdNotUnique', { id })
  const channel = world.channels.put(id, () => ({
    id,
    account,
    resource,
    ...(calendar && { calendarId: calendar.id }),
    ...(Array.isArray(query.eventTypes) && { eventTypes: query.eventTypes }),
    // 27 url-safe characters: the same for every channel of an account on a resource (behaviour 6.1.4).
    resourceId: digest(`${account} ${resource} ${calendar?.id ?? ''}`, 'sha1'),
    resourceUri: uriOf(watched),
    originWorld: worldNameOf(world.life),
    address,
    ...(token && { token }),
    expiration,
  }))
  return showChannel(channel)
}

/** Returns the URI of a channel's resource in a world: a channel that a fork has from its origin names the fork. */
export function resourceUriIn(world: World, { originWorld: origin, resourceUri }: Channel): string {
  const name = worldNameOf(world.life)
  if (origin === undefined || origin === name) return resourceUri
  return resourceUri.replace(/(\/w\/[^/]+)?\/calendar\/v3\//, `/w/${name}/calendar/v3/`)
}

/** Neither address nor type is told back (behaviour 6.1.2). */
const showChannel = ({ id, resourceId, resourceUri, token, expiration }: Channel) => ({
  kind: 'api#channel',
  id,
  resourceId,
  resourceUri,
  ...(token && { token }),
  expiration: String(expiration),
})

/** A token is sent as a header, so it may not hold line ends or other control characters. */
function tokenOf({ token }: ChannelBody): string | undefined {
  if (token && token.length > LONGEST_TOKEN)
    refuse('invalidValue', { field: 'token', problem: 'at most 256 characters' })
  if (token && /\p{Cc}/u.test(token)) refuse('invalidValue', { field: 'token', problem: 'no control characters' })
  return token ?? undefined
}

const WEEK = 7 * DAY
const LONGEST = 30 * DAY

/** When a channel ends: as asked, by `expiration` before `params.ttl`, but within a month; else in a week. In whole seconds. */
function expirationOf({ expiration, params }: ChannelBody, now: number): number {
  const ttl = params?.ttl ?? undefined
  if (ttl !== undefined && !/^\d+$/.test(ttl)) refuse('invalidValue', { field: 'params.ttl', problem: 'not seconds' })
  const asked = expiration ? Number(expiration) : ttl === undefined ? now + WEEK : now + Number(ttl) * 1000
  const ends = Math.floor(Math.min(asked, now + LONGEST) / 1000) * 1000
  return ends > now
    ? ends
    : refuse('invalidValue', { field: expiration ? 'expiration' : 'params.ttl', problem: 'over' })
}

const SERVICE = 'calendar/v3'

/**
 * The list's own address, its calendar as the request named it, with the request's query and `alt` (behaviour 6.1.3).
 */
function uriOf({ rootUrl, path, query }: Watched): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)] as const),
  )
  const asked = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}&`).join('')
  return `${rootUrl}${SERVICE}${encodeURI(path).replaceAll('#', '%23')}?${asked}alt=json`
}

/** Whether messages are sent: a channel that was stopped or has expired is silent, and its id is free. */
export const isLive = (world: World, channel: Channel | undefined): channel is Channel =>
  channel !== undefined &&
  !channel.stopped &&
  channel.expiration > world.clock.now() &&
  world.channels.get(channel.id) === channel

/**
 * Ends a channel. It takes the pair that the watch answered with, from the account that it answered (behaviour 6.3).
 */
export function stopChannel(world: World, { email }: Caller, body: ChannelBody): void {
  const id = body.id || refuse('channelFieldRequired', { location: 'id' })
  const resourceId = body.resourceId || refuse('channelFieldRequired', { location: 'resourceId' })
  const channel = world.channels.get(id)
  const found = isLive(world, channel) && channel.resourceId === resourceId && channel.account === email
  const ended = found ? channel : refuse('channelNotFound', { id, project: PROJECT })
  world.channels.put(id, () => ({ ...ended, stopped: true }))
}
