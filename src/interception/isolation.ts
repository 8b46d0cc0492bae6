import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import net, { type Socket } from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parseConnectArgs } from './connectTarget.ts'
import { classifyHost, SERVICE_HOSTS } from './hosts.ts'
import { patchMethod } from './patchMethod.ts'

export type Isolation = {
  wrapCommand(command: string, args: readonly string[]): [program: string, args: string[]]
  close(): void
}

type IsolationOptions = {
  folder: string
  proxy: URL
  fake: URL
  /** Hosts that resolve as the service's do, besides these. */
  forwarded: readonly string[]
  acceptConnection(socket: Socket): void
}

/** This machine cannot run a command in a network namespace; the message gives the reason. */
export class IsolationError extends Error {}

/** The address of the service's hosts in the namespace. */
const SERVICE_ADDRESS = '127.0.0.2'
const HOSTS = '/etc/hosts'
const NSSWITCH = '/etc/nsswitch.conf'

/** The service's hosts resolve to the gateway, and other names do not resolve. */
const NAMESPACE_SETUP = `ip link set lo up && mount --bind "$1" ${HOSTS} &&
{ [ ! -e ${NSSWITCH} ] || mount --bind "$2" ${NSSWITCH}; } && shift 2 && exec "$@"`

/**
 * HTTP requests of this process to loopback addresses lead into the namespace until it is closed, because receivers of push
 * messages listen there. Writes files and sockets to `folder`. Rejects with an IsolationError if the machine does not allow it.
 */
export async function openIsolation({
  folder,
  proxy,
  fake,
  forwarded,
  acceptConnection,
}: IsolationOptions): Promise<Isolation> {
  if (process.platform !== 'linux') throw createIsolationError(`there are no network namespaces on ${process.platform}`)
  const proxyPath = join(folder, 'proxy.sock')
  const inwardPath = join(folder, 'inward.sock')
  const entrance = net.createServer({ allowHalfOpen: true }, acceptConnection)
  await new Promise<void>((resolve, reject) => entrance.once('error', reject).listen(proxyPath, resolve))
  const names = writeFileIn(folder, 'hosts', addHosts([...SERVICE_HOSTS, ...forwarded], readHostFile(HOSTS)))
  const order = writeFileIn(folder, 'nsswitch.conf', readHostFile(NSSWITCH).replace(/^hosts:.*$/m, 'hosts: files'))
  const gateway = fileURLToPath(new URL('./namespaceGateway.cjs', import.meta.url))
  const run = [process.execPath, gateway, proxyPath, inwardPath, SERVICE_ADDRESS, proxy.port, fake.port]
  const command = ['--net', '--mount', '--', 'sh', '-c', NAMESPACE_SETUP, 'sh', names, order, ...run]
  const asRoot = process.getuid?.() === 0 ? await startGateway(command).catch(() => undefined) : undefined
  const keeper =
    asRoot ??
    (await startGateway(['--map-root-user', ...command]).catch((error) => {
      entrance.close()
      throw error
    }))
  const restore = redirectLoopbackConnections(inwardPath)
  const user = asRoot ? [] : ['--user', '--preserve-credentials']
  const self = asRoot ? [] : ['unshare', `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`, '--']
  const local = ['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', process.cwd()]
  return {
    wrapCommand: (command, args) => [
      'nsenter',
      ['--target', `${keeper.pid}`, '--net', '--mount', ...user, '--', ...local, ...self, command, ...args],
    ],
    close: () => {
      restore()
      keeper.kill('SIGKILL')
      entrance.close()
    },
  }
}

function redirectLoopbackConnections(path: string): () => void {
  const openInside = (host: string, port: number): Socket => {
    const socket = net.connect({ path })
    socket.write(`${host === 'localhost' ? '127.0.0.1' : host} ${port}\n`)
    return socket
  }
  const undo = [
    patchMethod(
      Agent.prototype as Agent & { createConnection: unknown },
      'createConnection',
      (original) =>
        function createConnection(this: Agent, ...args: unknown[]): unknown {
          const { host, port, path: local } = parseConnectArgs(args, false)
          return local === undefined && classifyHost(host) === 'local'
            ? openInside(host, port)
            : original.apply(this, args)
        },
    ),
    patchMethod(tls, 'connect', (original) => (...args: unknown[]) => {
      const [options] = args as [tls.ConnectionOptions]
      const { host, port, transport } = parseConnectArgs(args, true)
      if (typeof options !== 'object' || transport || classifyHost(host) !== 'local') return original.apply(tls, args)
      return original.call(tls, { ...options, socket: openInside(options.host ?? host, port) })
    }),
  ]
  return () => {
    for (const restore of undo) restore()
  }
}

const createIsolationError = (reason: string) =>
  new IsolationError(`cannot open a network namespace on this machine: ${reason}`)

const readHostFile = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

function writeFileIn(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

function addHosts(hosts: readonly string[], text: string): string {
  const namesHost = (line: string) => line.split(/\s+/).some((name) => hosts.includes(name))
  const others = text.split('\n').filter((line) => !namesHost(line))
  return [...hosts.map((host) => `${SERVICE_ADDRESS} ${host}`), ...others].join('\n')
}

const createStartError = (error: unknown) =>
  createIsolationError(`${(error as Error).message} (needed are unshare, nsenter, ip and mount)`)

function startKeeper(args: readonly string[]): ChildProcessWithoutNullStreams {
  const { PATH } = process.env
  try {
    // A process group of its own, so that Ctrl-C in a terminal does not end it before the command.
    return spawn('unshare', args, { stdio: 'pipe', detached: true, env: { PATH } })
  } catch (error) {
    throw createStartError(error)
  }
}

/**
 * The gateway is the program `namespaceGateway.ts`, which connects the namespace with this process. Resolves when its ports are
 * open. Rejects with an IsolationError and the last line of its stderr if it ends before.
 */
async function startGateway(args: readonly string[]): Promise<ChildProcess> {
  const keeper = startKeeper(args)
  let errors = ''
  keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  keeper.stdin.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    keeper.stdout.once('data', () => resolve())
    keeper.once('error', (error) => reject(createStartError(error)))
    keeper.once('close', () => reject(createIsolationError(errors.trim().split('\n').at(-1) ?? 'no reason given')))
  })
  return keeper
}
