import { z } from 'zod'
import { flag, int64, kind, map, namedSchema, text } from './jsonSchema.ts'

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

export type ChannelBody = z.output<typeof channelBody>
