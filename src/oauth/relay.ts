/**
 * The page that opened a popup gets the result as a message, which it recognizes by the id. Google's script for pages names both
 * in a redirect URI: `storagerelay://https/app.example.com?id=auth1`.
 */
export type Relay = { origin: string; id: string }

const RELAY = /^storagerelay:\/\/(https?)\/([^/?#]+)\/?(?:\?id=([\w-]{1,64}))?$/

export const POSTED = 'postmessage'

/** Undefined for other URIs. Without an id in the URI, the id is empty. */
export function parseRelay(redirect: string): Relay | undefined {
  const [, scheme, host, id = ''] = RELAY.exec(redirect) ?? []
  const origin = `${scheme}://${host}`
  return scheme && URL.canParse(origin) ? { origin: new URL(origin).origin, id } : undefined
}
