import { refuse } from '../wire/refusals.ts'

const LOOPBACK = [/^127(\.\d+){3}$/, /^\[::1\]$/, /^(.*\.)?localhost\.?$/]

/** Whether messages to an address stay on this machine. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.some((form) => form.test(hostname))

/**
 * The address that a channel posts to. The service takes https alone (behaviour 6.1.6); plain http is let through to a
 * loopback address, where a test's receiver listens. Whether anything is posted to others is up to the fake's option.
 */
export function webhookOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return url
  return refuse('webhookUrlNotHttps', { url: address })
}
