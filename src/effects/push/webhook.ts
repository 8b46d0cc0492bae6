import { apiError } from '../../schema/apiErrors.ts'
import { isLoopback } from '../../schema/values/loopback.ts'

/**
 * Returns the address of a channel. Throws `webhookUrlNotHttps` unless it is https (behaviour 6.1.6), or http to a
 * loopback address, where the receiver of a test listens. The option `webhooks` decides about posts to other hosts.
 */
export function webhookOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return url
  throw apiError('webhookUrlNotHttps', { url: address })
}
