import type { z } from 'zod'
import { aclRuleBody } from './aclRule.ts'
import { calendarBody } from './calendar.ts'
import { calendarListEntryBody } from './calendarListEntry.ts'
import { channelBody } from './channel.ts'
import { eventBody } from './event.ts'
import { freeBusyRequest } from './freeBusy.ts'

/** By the names in `Endpoint.request` and in the discovery document. */
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
