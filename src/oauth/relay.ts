/**
 * The page that opened a popup, which gets the result as a message: its origin, and the id by which it recognizes the
 * message. Google's script for pages names both in a redirect URI: `storagerelay://https/app.example.com?id=auth1`.
 */
export type Relay = { origin: string; id: string }

const RELAY = /^storagerelay:\/\/(https?)\/([^/?#]+)\/?(?:\?id=([\w-]{1,64}))?$/

export const POSTED = 'postmessage'

/** Returns the relay of a redirect URI, or undefined for other URIs. Without an id in the URI, the id is empty. */
export function parseRelay(redirect: string): Relay | undefined {
  const [, scheme, host, id = ''] = RELAY.exec(redirect) ?? []
  const origin = `${scheme}://${host}`
  return scheme && URL.canParse(origin) ? { origin: new URL(origin).origin, id } : undefined
}
