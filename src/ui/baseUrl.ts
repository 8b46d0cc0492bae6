const { origin, pathname, hash } = location

const [, prefix = '', pathWorld] = /^(.*?)(?:\/w\/([^/]+))?\/_ui\//.exec(pathname) ?? []

/** The world in the path of the page, such as `w1` of `/w/w1/_ui/`. */
export const PATH_WORLD = pathWorld

/** The URL has a path prefix if the server is behind a proxy; without a slash at the end. */
export const SERVER_URL = origin + prefix

/** The token of `#token=`: a fragment, because browsers do not send that to servers. */
export const CONTROL_TOKEN = new URLSearchParams(hash.slice(1)).get('token') ?? undefined

/** The world `default` is at the root. No slash at the end. */
export const baseUrl = (world: string): string =>
  world === 'default' ? SERVER_URL : `${SERVER_URL}/w/${encodeURIComponent(world)}`
