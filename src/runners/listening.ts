import type { AddressInfo } from 'node:net'
import type { FakeWorld } from '../control/types/world.ts'

/** Opens a port that serves only this world. */
export async function listenFor(world: FakeWorld): Promise<{ url: string; close(): Promise<void> }> {
  const { bindLoopback, socketListener, stop, urlOf } = await import('../http/listen.ts')
  const listener = await socketListener(
    (request) => world.fetch(request),
    () => world.clock.now(),
  )
  const servers = await bindLoopback(listener, 0)
  const { port } = servers[0].address() as AddressInfo
  return { url: urlOf(undefined, port), close: async () => void (await Promise.all(servers.map(stop))) }
}
