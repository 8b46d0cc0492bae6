import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { currentWorld, runIn } from '../fake/current.ts'
import type { FakeWorld } from '../fake/world.ts'
import { serverOf, socketListener } from '../http/listen.ts'
import { takeTag } from './requestTags.ts'

/**
 * Answers what comes in on lines, each request by its own world: the one that it was sent in, or else that in which its line
 * was opened, or else the fake named.
 */
export function bridge(fake: () => FakeWorld, worldOf: (line: Duplex) => FakeWorld | undefined) {
  const server = socketListener(
    (request) => (currentWorld() ?? fake()).fetch(request),
    () => fake().clock.now(),
  ).then(({ handle, instead }) => {
    const inItsWorld = (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const tag = takeTag(incoming)
      // Where a request was sent in none, it is in none here: the line may have been another's before.
      runIn(tag ? tag.world : worldOf(incoming.socket), () => void handle(incoming, outgoing))
    }
    return serverOf({ handle: inItsWorld, instead })
  })
  return (line: Duplex): void => void server.then((http) => accept(http, line))
}

/** A connection that did not come by a port. */
export const accept = (server: Server, line: Duplex): boolean => server.emit('connection', line)
