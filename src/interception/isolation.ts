import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import net, { type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SERVICE_HOSTS } from './hosts.ts'

/** A network that a command can be run in, from which nothing leads out but the proxy. */
export type Isolation = {
  /** What is to be run so that a command runs in it. */
  entering(command: string, args: readonly string[]): [string, string[]]
  close(): void
}
type Outside = {
  /** A folder that goes with the process. */
  folder: string
  proxy: URL
  fake: URL
  /** Takes a connection for the proxy. */
  take(socket: Socket): void
}

/** Where the service's hosts are in there: nobody else is. */
const SERVICE_ADDRESS = '127.0.0.2'
const HOSTS = '/etc/hosts'
const SWITCH = '/etc/nsswitch.conf'

/** The two files by which names are looked up: the service's lead to us, and no others are asked for. */
const SETTLE = `ip link set lo up && mount --bind "$1" ${HOSTS} &&
{ [ ! -e ${SWITCH} ] || mount --bind "$2" ${SWITCH}; } && shift 2 && exec "$@"`

/** Opens one. Where this machine does not let us, that is a CommandError that says what kept us. */
export async function isolate({ folder, proxy, fake, take }: Outside): Promise<Isolation> {
  if (process.platform !== 'linux') throw refused(`there are no network namespaces on ${process.platform}`)
  const socketPath = join(folder, 'proxy.sock')
  const entrance = net.createServer({ allowHalfOpen: true }, take)
  await new Promise<void>((resolve, reject) => entrance.once('error', reject).listen(socketPath, resolve))
  const names = file(folder, 'hosts', hostsWith(textIn(HOSTS)))
  const order = file(folder, 'nsswitch.conf', textIn(SWITCH).replace(/^hosts:.*$/m, 'hosts: files'))
  const gate = fileURLToPath(new URL('./namespaceGateway.cjs', import.meta.url))
  const run = [process.execPath, gate, socketPath, SERVICE_ADDRESS, proxy.port, fake.port]
  const command = ['--net', '--mount', '--', 'sh', '-c', SETTLE, 'sh', names, order, ...run]
  // Who may not make a network of their own may make one as the root of their own users.
  const asRoot = process.getuid?.() === 0 ? await settled(command).catch(() => undefined) : undefined
  const keeper = asRoot ?? (await settled(['--map-root-user', ...command]).catch((error) => fail(entrance, error)))
  const user = asRoot ? [] : ['--user', '--preserve-credentials']
  const self = asRoot ? [] : ['unshare', `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`, '--']
  const there = ['sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', process.cwd()]
  return {
    entering: (command, args) => [
      'nsenter',
      ['--target', `${keeper.pid}`, '--net', '--mount', ...user, '--', ...there, ...self, command, ...args],
    ],
    close: () => {
      keeper.kill('SIGKILL')
      entrance.close()
    },
  }
}

function fail(entrance: net.Server, error: unknown): never {
  entrance.close()
  throw error
}

/** Thrown if this machine cannot run a command in a network namespace; the message gives the reason. */
export class IsolationError extends Error {}

const refused = (because: string) => new IsolationError(`this machine does not let us: ${because}`)

const textIn = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
function file(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

function hostsWith(text: string): string {
  const isOurs = (line: string) => line.split(/\s+/).some((name) => SERVICE_HOSTS.includes(name))
  const others = text.split('\n').filter((line) => !isOurs(line))
  return [...SERVICE_HOSTS.map((host) => `${SERVICE_ADDRESS} ${host}`), ...others].join('\n')
}

/** A process in a network of its own, once its ports are open. */
async function settled(args: readonly string[]): Promise<ChildProcess> {
  const { PATH } = process.env
  // Apart, so that what is typed at a terminal does not end it before the command.
  const keeper = spawn('unshare', args, { stdio: 'pipe', detached: true, env: { PATH } })
  let said = ''
  keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  keeper.stdin.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    keeper.stdout.once('data', () => resolve())
    keeper.once('error', ({ message }) => reject(refused(`${message} (needed are unshare, nsenter, ip and mount)`)))
    keeper.once('close', () => reject(refused(said.trim().split('\n').at(-1) ?? 'no reason given')))
  })
  return keeper
}
