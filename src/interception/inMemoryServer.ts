import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { currentWorld, runWithWorld } from '../control/currentWorld.ts'
import type { FakeWorld } from '../control/types/world.ts'
import { createHttpServer, createSocketListener } from '../http/listen.ts'
import { takeTag } from './requestTags.ts'

/**
 * Each request goes to the world of its tag (a header that names the world in which it was sent), else to that of its connection
 * (`worldOf`), else to `fallback()`. The clock is that of `fallback()`.
 */
export function createInMemoryServer(
  fallback: () => FakeWorld,
  worldOf: (connection: Duplex) => FakeWorld | undefined,
) {
  const server = createSocketListener(
    (request) => (currentWorld() ?? fallback()).fetch(request),
    () => fallback().clock.now(),
  ).then(({ handle, onError }) => {
    const handleInWorld = (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const tag = takeTag(incoming)
      runWithWorld(tag ? tag.world : worldOf(incoming.socket), () => void handle(incoming, outgoing))
    }
    return createHttpServer({ handle: handleInWorld, onError })
  })
  return (connection: Duplex): void => void server.then((http) => emitConnection(http, connection))
}

/** Returns false if the server has no listener for the connection. */
export const emitConnection = (server: Server, connection: Duplex): boolean => server.emit('connection', connection)
