const { origin, pathname, hash } = location

/** What is before `/_ui/` in the page's address: where the server stands, and the world that was named. */
const [, before = '', named] = /^(.*?)(?:\/w\/([^/]+))?\/_ui\//.exec(pathname) ?? []

/** The world that the address names by its path. */
export const NAMED = named

/** The server's address, without a slash at its end. */
export const ROOT = origin + before

/** The control token, from the fragment, which no server is sent. */
export const TOKEN = new URLSearchParams(hash.slice(1)).get('token') ?? undefined

/** Where a world is found: the one of the name `default` at the root. */
export const rootOf = (world: string): string => (world === 'default' ? ROOT : `${ROOT}/w/${encodeURIComponent(world)}`)
