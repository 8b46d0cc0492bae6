import type { ApiErrorRow } from './row.ts'

/** `{location}` is the missing field; the other placeholders are its value. */
export const CHANNELS = {
  channelFieldRequired: { code: 400, reason: 'required', message: 'Required', location: '{location}' },
  unknownChannelType: { code: 400, reason: 'push.channelTypeUnknown', message: 'Unknown channel type: {type}' },
  channelIdNotUnique: { code: 400, reason: 'channelIdNotUnique', message: 'Channel id not unique' },
  webhookUrlNotHttps: {
    code: 400,
    reason: 'push.webhookUrlNotHttps',
    message: 'WebHook callback must be HTTPS: {url}',
  },
  pushNotSupported: {
    code: 400,
    reason: 'pushNotSupportedForRequestedResource',
    message: 'Push notifications are not supported by this resource.',
  },
  channelNotFound: {
    code: 404,
    reason: 'notFound',
    message: "Channel '{id}' not found for project '{project}'",
  },
} as const satisfies Record<string, ApiErrorRow>
