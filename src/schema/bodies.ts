import { z } from 'zod'
import { aclRuleBody } from './aclRule.ts'
import { calendarBody } from './calendar.ts'
import { calendarListEntryBody } from './calendarListEntry.ts'
import { eventBody } from './event.ts'
import { byDefault, flag, instant, int32, int64, kind, listOf, map, namedSchema, text } from './jsonSchema.ts'

/** `expiration` is in milliseconds since the epoch, as decimal digits; clients also send a number. */
export const channelBody = z.object({
  id: text,
  type: text,
  address: text,
  token: text,
  expiration: int64,
  params: map,
  payload: flag,
  resourceId: text,
  resourceUri: text,
})

export const channel = namedSchema('Channel', channelBody.extend({ kind: kind('api#channel') }))

const freeBusyRequestItem = namedSchema('FreeBusyRequestItem', z.object({ id: text }))

export const freeBusyRequest = namedSchema(
  'FreeBusyRequest',
  z.object({
    timeMin: instant,
    timeMax: instant,
    timeZone: byDefault(text, 'UTC'),
    groupExpansionMax: int32,
    calendarExpansionMax: int32,
    items: listOf(freeBusyRequestItem),
  }),
)

/** Schemas by the names in `Endpoint.request` and in the discovery document. */
export const BODIES = {
  AclRule: aclRuleBody,
  Calendar: calendarBody,
  CalendarListEntry: calendarListEntryBody,
  Channel: channelBody,
  Event: eventBody,
  FreeBusyRequest: freeBusyRequest,
} satisfies Record<string, z.ZodObject>

export type BodyName = keyof typeof BODIES
export type Body<N extends BodyName> = z.output<(typeof BODIES)[N]>
export type ChannelBody = z.output<typeof channelBody>
export type FreeBusyRequest = z.output<typeof freeBusyRequest>
