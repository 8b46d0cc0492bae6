/** The hosts by which programs call the service, and what they ask of each. What is not named here is not the service's. */
const SERVICE: ReadonlyMap<string, string> = new Map([
  ['www.googleapis.com', 'the service, batches, discovery; tokens, userinfo and certificates of older libraries'],
  ['calendar.googleapis.com', 'discovery by newer clients'],
  ['calendar-json.googleapis.com', 'the service and discovery, by its older name'],
  ['content.googleapis.com', 'the service, from pages'],
  ['content-calendar.googleapis.com', 'the same, by newer pages'],
  ['discovery.googleapis.com', 'the directory of what there is to discover'],
  ['oauth2.googleapis.com', 'tokens, token information, revoking, codes for devices'],
  ['openidconnect.googleapis.com', 'userinfo'],
  ['sts.googleapis.com', 'token exchange'],
  ['www.mtls.googleapis.com', 'the service, for clients that bring a certificate'],
  ['calendar-json.mtls.googleapis.com', 'the same'],
  ['oauth2.mtls.googleapis.com', 'tokens, for the same clients'],
  ['sts.mtls.googleapis.com', 'the same'],
  ['accounts.google.com', 'authorization, consent, the configuration of OpenID Connect, and a script for pages'],
  ['apis.google.com', 'a script for pages'],
])

export const SERVICE_HOSTS: readonly string[] = [...SERVICE.keys()]

/** `service`: answered by the fake; `google`: never let out, and not answered either; `local`: this machine. */
export type HostKind = 'service' | 'google' | 'local' | 'other'

/** A host's name as it is compared: without a port, brackets, a dot at its end, and capitals. */
export function bareHost(host: string): string {
  const [, name = ''] = /^\[?(.*?)\]?(?::\d*)?$/.exec(/^[^[\]]*:.*:/.test(host) ? `[${host}]` : host) ?? []
  return name.replace(/\.$/, '').toLowerCase()
}

export function kindOf(host: string): HostKind {
  const name = bareHost(host)
  if (SERVICE.has(name)) return 'service'
  if (/(^|\.)(googleapis\.com|accounts\.google\.com)$/.test(name)) return 'google'
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/.test(name) ? 'local' : 'other'
}

/** Hosts that are let through, as they are given: names, or `*.example.com` for all below one. */
export class Passing {
  readonly #names: readonly string[]

  constructor(names: readonly string[]) {
    this.#names = names.map(bareHost)
  }

  has(host: string): boolean {
    const name = bareHost(host)
    return this.#names.some((one) => (one.startsWith('*.') ? name.endsWith(one.slice(1)) : name === one))
  }
}

/** Whether a host may be named to be let through: never the service's own, under whatever pattern. */
export const mayPass = (host: string): boolean => {
  const passing = new Passing([host])
  return bareHost(host) !== '' && !SERVICE_HOSTS.some((name) => passing.has(name))
}
