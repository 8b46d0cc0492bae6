/**
 * Where the answer goes that a popup was opened for: to the page that opened it, by a message. Google's own script for pages
 * says so in a redirect URI of its own scheme: `storagerelay://https/app.example.com?id=auth1`.
 */
export type Relay = { origin: string; id: string }

const RELAY = /^storagerelay:\/\/(https?)\/([^/?#]+)\/?(?:\?id=([\w-]{1,64}))?$/

/** What a code is redeemed with that came by a message. */
export const POSTED = 'postmessage'

/** The page that waits for the answer; none where a redirect URI is one that leads somewhere. */
export function relayOf(redirect: string): Relay | undefined {
  const [, scheme, host, id = ''] = RELAY.exec(redirect) ?? []
  const origin = `${scheme}://${host}`
  return scheme && URL.canParse(origin) ? { origin: new URL(origin).origin, id } : undefined
}
