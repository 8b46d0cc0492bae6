const { origin, pathname, hash } = location

const [, prefix = '', pathWorld] = /^(.*?)(?:\/w\/([^/]+))?\/_ui\//.exec(pathname) ?? []

/** The world in the path of the page's address, if there is one. */
export const PATH_WORLD = pathWorld

/** The server's address, without a slash at the end. */
export const SERVER_URL = origin + prefix

/** The control token. It is in the fragment, which browsers do not send to servers. */
export const CONTROL_TOKEN = new URLSearchParams(hash.slice(1)).get('token') ?? undefined

/** Returns the base URL of a world. The world `default` is at the root. */
export const baseUrl = (world: string): string =>
  world === 'default' ? SERVER_URL : `${SERVER_URL}/w/${encodeURIComponent(world)}`
