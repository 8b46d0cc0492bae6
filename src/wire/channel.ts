import { z } from 'zod'
import { flag, int64, kind, map, named, text } from './json.ts'

/** A watch on a resource. `expiration` is an int64 and so a string in JSON; clients also send it as a number. */
export const channelBody = z.object({
  id: text(),
  type: text(),
  address: text(),
  token: text(),
  expiration: int64(),
  params: map(),
  payload: flag(),
  resourceId: text(),
  resourceUri: text(),
})

export const channel = named('Channel', channelBody.extend({ kind: kind('api#channel') }))

export type ChannelBody = z.output<typeof channelBody>
