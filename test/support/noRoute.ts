import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND, type Ended, run } from './command.ts'
import { reportNotTried } from './notTried.ts'
import { lacks } from './programs.ts'

/** Arguments of `unshare` that open a network namespace: as root, or as root of a user namespace. */
const UNSHARE_ARGS = [
  ['--net', '--'],
  ['--map-root-user', '--net', '--'],
]
const UP = 'ip link set lo up'

/** Returns true if a program can run in a network namespace with these arguments of `unshare`. */
function canOpenNamespace(args: readonly string[]): boolean {
  try {
    execFileSync('unshare', [...args, 'sh', '-c', UP], { stdio: 'ignore', timeout: 20_000 })
    return true
  } catch {
    return false
  }
}

const unshareArgs = lacks('unshare', 'ip') ? undefined : UNSHARE_ARGS.find(canOpenNamespace)

/** The reason why programs cannot run in a network namespace here; undefined if they can. CI machines may forbid it too. */
export const namespaceProblem: string | undefined = unshareArgs ? undefined : 'this machine has no network namespaces'
if (namespaceProblem) reportNotTried({ name: 'network namespaces' })

/** A shell script that runs its arguments, then saves the kernel's counts of packets without a route to the file `$1`. */
const COUNTED = `${UP}; file="$1"; shift; "$@"; code=$?; cat /proc/net/snmp /proc/net/snmp6 >"$file"; exit $code`

export type Watched = Ended & {
  /** The number of attempts to connect beyond loopback: to another host or a name server. */
  beyond: number
}

/**
 * Runs a program until it ends, in a network namespace with loopback only. If the machine forbids that, it runs as an ordinary
 * process.
 */
export async function runWithoutNetwork(
  command: readonly string[],
  env: Record<string, string | undefined> = {},
  cwd?: string,
): Promise<Watched> {
  const options = { env: { PORT: '', ...env }, timeout: 300_000, cwd }
  const [first = '', ...rest] = command
  if (!unshareArgs) return { ...(await run(rest, { ...options, command: first })), beyond: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-alone-'))
  try {
    const counts = join(folder, 'counts')
    const ended = await run([...unshareArgs, 'sh', '-c', COUNTED, 'sh', counts, ...command], {
      ...options,
      command: 'unshare',
    })
    return { ...ended, beyond: countUnroutable(readFileSync(counts, 'utf8')) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs the command `fake-calendar` as `runAlone` does. */
export const runCommandWithoutNetwork = (args: readonly string[], env?: Record<string, string>): Promise<Watched> =>
  runWithoutNetwork([process.execPath, COMMAND, ...args], env)

/** Returns the number of packets without a route, of IPv4 and IPv6, from the counts of the kernel. */
function countUnroutable(counts: string): number {
  const [names = [], values = []] = [...counts.matchAll(/^Ip: (.*)$/gm)].map(([, words = '']) => words.split(' '))
  const [, six = 'none'] = /^Ip6OutNoRoutes\s+(\d+)$/m.exec(counts) ?? []
  return Number(values[names.indexOf('OutNoRoutes')]) + (/^\d+$/.test(six) ? Number(six) : 0)
}
