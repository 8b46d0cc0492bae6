import { createCertificates } from '../../interception/authority.ts'
import { HostList } from '../../interception/hosts.ts'
import { type ForwardProxy, openProxy } from '../../interception/proxy.ts'
import type { Server } from '../../server/server.ts'
import { CommandError } from '../commandError.ts'
import { printError } from '../output.ts'
import { listenErrorOf } from '../startServer.ts'
import { interceptionEnv } from './childEnv.ts'
import type { Env } from './env.ts'
import { writeTrustFiles } from './trustFiles.ts'

/** An open proxy, and the environment variables by which programs use and trust it. */
export type OpenProxy = Pick<ForwardProxy, 'url' | 'take' | 'close'> & { env: Env }

type Setup = { folder: string; allow: readonly string[]; port: number; env: Env }

/** Opens a proxy for a server. Its certificates are written to `folder`. */
export async function openProxyFor(server: Server, { folder, allow, port, env }: Setup): Promise<OpenProxy> {
  const authority = await createCertificates()
  const files = await writeTrustFiles(folder, authority.authority, env)
  const reported = new Set<string>()
  const report = (line: string) => {
    if (!reported.has(line)) printError(line)
    reported.add(line)
  }
  const backend = {
    fetch: server.fetch.bind(server) as Server['fetch'],
    now: () => server.now(server.home),
  }
  const { url, take, close } = await openProxy(backend, {
    port,
    authority,
    allowed: new HostList(allow),
    world: server.home === 'default' ? undefined : server.home,
    report,
  }).catch((error) => {
    throw new CommandError(`cannot listen on 127.0.0.1, port ${port}: ${listenErrorOf(error)}`)
  })
  return { url, take, close, env: interceptionEnv(new URL(url), files, allow, env) }
}
