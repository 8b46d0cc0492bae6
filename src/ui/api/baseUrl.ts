const { origin, pathname, hash } = location

const [, prefix = '', pathWorld] = /^(.*?)(?:\/w\/([^/]+))?\/_ui\//.exec(pathname) ?? []

/** The world in the path of the page's address, such as `w1` of `/w/w1/_ui/`; undefined if the path names none. */
export const PATH_WORLD = pathWorld

/** The address of the server, with a path prefix if it is behind a proxy, without a slash at the end. */
export const SERVER_URL = origin + prefix

/**
 * The token for `/_control`, from `#token=` in the page's address; undefined if it is not given. It is in the fragment,
 * because browsers do not send that to servers.
 */
export const CONTROL_TOKEN = new URLSearchParams(hash.slice(1)).get('token') ?? undefined

/** Returns the URL below which a world is served, without a slash at the end. The world `default` is at the root. */
export const baseUrl = (world: string): string =>
  world === 'default' ? SERVER_URL : `${SERVER_URL}/w/${encodeURIComponent(world)}`
