/** The paths of the OAuth endpoints, including those of older libraries (behaviour 11.19). */
export const PATHS = {
  authorize: ['/o/oauth2/v2/auth', '/o/oauth2/auth'],
  token: ['/token', '/oauth2/v4/token', '/oauth2/v3/token', '/o/oauth2/token', '/v1/token'],
  revoke: ['/revoke', '/o/oauth2/revoke'],
  tokenInfo: ['/tokeninfo', '/oauth2/v3/tokeninfo', '/oauth2/v2/tokeninfo', '/oauth2/v1/tokeninfo'],
  userInfo: ['/oauth2/v3/userinfo', '/oauth2/v2/userinfo', '/oauth2/v1/userinfo', '/v1/userinfo'],
  deviceCode: ['/device/code', '/o/oauth2/device/code'],
  device: ['/device'],
  configuration: ['/.well-known/openid-configuration'],
  keys: ['/oauth2/v3/certs'],
  certificates: ['/oauth2/v1/certs'],
} as const satisfies Record<string, readonly string[]>

export type EndpointName = keyof typeof PATHS
type OAuthPath = (typeof PATHS)[EndpointName][number]

const BY_PATH = new Map(
  Object.entries(PATHS).flatMap(([name, paths]) =>
    paths.map((path): [string, EndpointName] => [path, name as EndpointName]),
  ),
)
type Verb = 'GET' | 'POST'
const EITHER: readonly Verb[] = ['GET', 'POST']

/** The HTTP methods of each endpoint. */
export const VERBS: Record<EndpointName, readonly Verb[]> = {
  authorize: EITHER,
  token: ['POST'],
  revoke: EITHER,
  tokenInfo: EITHER,
  userInfo: EITHER,
  deviceCode: ['POST'],
  device: EITHER,
  configuration: ['GET'],
  keys: ['GET'],
  certificates: ['GET'],
}

/** The endpoints that are pages for a person. Pages of other origins cannot read them. */
const PAGES: readonly EndpointName[] = ['authorize', 'device']

const endpointAt = (path: string): EndpointName | undefined => BY_PATH.get(path as OAuthPath)
export const isPage = (path: string): boolean => PAGES.some((name) => name === endpointAt(path))
