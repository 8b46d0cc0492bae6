import { makeAuthority } from '../../interception/authority.ts'
import { Passing } from '../../interception/hosts.ts'
import { type Behind, openProxy, type Proxy as Proxied } from '../../interception/proxy.ts'
import { CommandError } from '../commandError.ts'
import { type Env, intercepting } from './childEnv.ts'
import { writeTrust } from './trustFiles.ts'

export type Way = Pick<Proxied, 'url' | 'take' | 'close'> & { env: Env; folder: string }

/** A proxy, the files by which programs trust it, and the variables by which they find both. */
export async function openWay(behind: Behind, allow: readonly string[], port: number, env: Env): Promise<Way> {
  const authority = await makeAuthority()
  const files = await writeTrust(authority.authority, env)
  process.on('exit', files.remove)
  const said = new Set<string>()
  const tell = (line: string) => {
    if (!said.has(line)) process.stderr.write(`fake-calendar: ${line}\n`)
    said.add(line)
  }
  const { url, take, close } = await openProxy(behind, { port, authority, passing: new Passing(allow), tell }).catch(
    (error) => {
      throw new CommandError(
        `cannot listen on 127.0.0.1, port ${port}: ${error.code === 'EADDRINUSE' ? 'the port is taken by another process' : error.message}`,
      )
    },
  )
  return {
    url,
    take,
    folder: files.folder,
    env: intercepting(new URL(url), files, allow, env),
    close: async () => {
      await close()
      files.remove()
    },
  }
}
