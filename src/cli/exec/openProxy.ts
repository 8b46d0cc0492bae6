import { createCertificates } from '../../interception/authority.ts'
import { type HostForwards, HostList } from '../../interception/hosts.ts'
import { type ForwardProxy, openProxy } from '../../interception/proxy.ts'
import type { Server } from '../../server/server.ts'
import { CommandError } from '../commandError.ts'
import { printError } from '../output.ts'
import { describeListenError } from '../startServer.ts'
import { createInterceptionEnv } from './childEnv.ts'
import type { Env } from './env.ts'
import { writeTrustFiles } from './trustFiles.ts'

export type OpenProxy = Pick<ForwardProxy, 'url' | 'acceptConnection' | 'close'> & { env: Env }

type ProxySetup = {
  folder: string
  allow: readonly string[]
  forwards: HostForwards
  port: number
  env: Env
}

/** Prints one line on stderr for each rejected host. */
export async function openProxyForServer(
  server: Server,
  { folder, allow, forwards, port, env }: ProxySetup,
): Promise<OpenProxy> {
  const forwarded = [...forwards.keys()]
  const certificates = await createCertificates(forwarded)
  const files = await writeTrustFiles(folder, certificates.authority, env)
  const reported = new Set<string>()
  const report = (line: string) => {
    if (!reported.has(line)) printError(line)
    reported.add(line)
  }
  const backend = {
    fetch: server.fetch.bind(server) as Server['fetch'],
    now: () => server.now(server.home),
  }
  const { url, acceptConnection, close } = await openProxy(backend, {
    port,
    certificates,
    allowed: new HostList(allow),
    forwards,
    world: server.home === 'default' ? undefined : server.home,
    report,
  }).catch((error) => {
    throw new CommandError(`cannot listen on 127.0.0.1, port ${port}: ${describeListenError(error)}`)
  })
  return {
    url,
    acceptConnection,
    close,
    env: createInterceptionEnv(new URL(url), files, { allowed: allow, forwarded }, env),
  }
}
