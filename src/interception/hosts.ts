import { isLoopback } from '../schema/values/loopback.ts'

/** Each with the reason why clients call it. */
const SERVICE: ReadonlyMap<string, string> = new Map([
  ['www.googleapis.com', 'the service, batches, discovery; tokens, userinfo and certificates of older libraries'],
  ['calendar.googleapis.com', 'discovery by newer clients'],
  ['calendar-json.googleapis.com', 'the service and discovery, by its older name'],
  ['content.googleapis.com', 'the service, from pages'],
  ['content-calendar.googleapis.com', 'the same, by newer pages'],
  ['calendarmcp.googleapis.com', 'the MCP server'],
  ['calendar.google.com', 'calendars as iCalendar files'],
  ['discovery.googleapis.com', 'the directory of discovery documents'],
  ['people.googleapis.com', 'the name and picture of the account that signs in'],
  ['apidata.googleusercontent.com', 'calendars as iCalendar files, with a token'],
  ['oauth2.googleapis.com', 'tokens, token information, revoking, codes for devices'],
  ['openidconnect.googleapis.com', 'userinfo'],
  ['sts.googleapis.com', 'token exchange'],
  ['www.mtls.googleapis.com', 'the service, for clients with a certificate of their own'],
  ['calendar-json.mtls.googleapis.com', 'the same'],
  ['oauth2.mtls.googleapis.com', 'tokens, for the same clients'],
  ['sts.mtls.googleapis.com', 'the same'],
  ['accounts.google.com', 'authorization, consent, the configuration of OpenID Connect, and a script for pages'],
  ['apis.google.com', 'a script for pages'],
])

export const SERVICE_HOSTS: readonly string[] = [...SERVICE.keys()]

/** `google`: another host of Google's, rejected by default; `local`: this machine. */
export type HostKind = 'service' | 'google' | 'local' | 'other'

/** Lower case, without port, brackets and final dot. Does not check the host. */
export function normalizeHost(host: string): string {
  const [, name = ''] = /^\[?(.*?)\]?(?::\d*)?$/.exec(/^[^[\]]*:.*:/.test(host) ? `[${host}]` : host) ?? []
  return name.replace(/\.$/, '').toLowerCase()
}

export function classifyHost(host: string): HostKind {
  const name = normalizeHost(host)
  if (SERVICE.has(name)) return 'service'
  if (/(^|\.)(googleapis\.com|accounts\.google\.com)$/.test(name)) return 'google'
  return isLoopback(name) ? 'local' : 'other'
}

/** Names, or patterns such as `*.example.com` for all names below one. */
export class HostList {
  readonly #names: readonly string[]

  constructor(names: readonly string[]) {
    this.#names = names.map(normalizeHost)
  }

  has(host: string): boolean {
    const name = normalizeHost(host)
    return this.#names.some((one) => (one.startsWith('*.') ? name.endsWith(one.slice(1)) : name === one))
  }
}

const LABEL = '[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?'
const HOST_NAME = new RegExp(`^(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*\\.?$`, 'i')
const IPV6 = /^(?:\[[0-9a-f:.]+\]|[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*)$/i

/** A host name, an address, or a pattern such as `*.example.com`; without a scheme, port or path. */
export const isHostPattern = (text: string): boolean => text.length <= 255 && (HOST_NAME.test(text) || IPV6.test(text))

/** Requests for these hosts go to another fake, at the URL. The names are normalized. */
export type HostForwards = ReadonlyMap<string, URL>

/** Returns what is wrong with an entry of `HostForwards`, or undefined. */
export function findForwardProblem(host: string, url: string): string | undefined {
  if (!isHostPattern(host) || /[*:]|^[\d.]+$/.test(host))
    return `not a host name: ${host} (expected a form such as gmail.googleapis.com)`
  if (['service', 'local'].includes(classifyHost(host)))
    return `${host} (expected a host that is neither this machine nor the service's own)`
  const { protocol, search, hash, username } = URL.canParse(url) ? new URL(url) : {}
  if (!protocol || !/^https?:$/.test(protocol) || search || hash || username)
    return `not the address of a server: ${url} (expected a form such as http://127.0.0.1:9000)`
  return undefined
}

/** It must match none of the service's own hosts. */
export const canBeAllowed = (host: string): boolean => {
  const list = new HostList([host])
  return normalizeHost(host) !== '' && !SERVICE_HOSTS.some((name) => list.has(name))
}
