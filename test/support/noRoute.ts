import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND, type Ended, run } from './command.ts'

/** The command that opens a network namespace: as root, or as root of a user namespace. */
const WAYS = [
  ['--net', '--'],
  ['--map-root-user', '--net', '--'],
]
const UP = 'ip link set lo up'

function opens(args: readonly string[]): boolean {
  try {
    execFileSync('unshare', [...args, 'sh', '-c', UP], { stdio: 'ignore', timeout: 20_000 })
    return true
  } catch {
    return false
  }
}

const way = WAYS.find(opens)

/** Why nothing can be run here without a route out. A machine may forbid it, one for CI too. */
export const routed: string | undefined = way ? undefined : 'this machine lets nobody have a network of their own'
if (routed) console.warn(`${routed}: that nothing is sent beyond loopback is not looked at`)

/** Runs what follows, and writes down how often anything in here was sent to where no route leads. */
const COUNTED = `${UP}; file="$1"; shift; "$@"; code=$?; cat /proc/net/snmp /proc/net/snmp6 >"$file"; exit $code`

export type Watched = Ended & {
  /** Returns the number of attempts to connect beyond loopback: to another host or a name server. */
  beyond: number
}

/**
 * Runs a program to its end where there is nothing but loopback. Without a network namespace, it runs as an ordinary
 * process.
 */
export async function runAlone(
  command: readonly string[],
  env: Record<string, string | undefined> = {},
  cwd?: string,
): Promise<Watched> {
  const options = { env: { PORT: '', ...env }, timeout: 300_000, cwd }
  const [first = '', ...rest] = command
  if (!way) return { ...(await run(rest, { ...options, command: first })), beyond: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-alone-'))
  try {
    const counts = join(folder, 'counts')
    const ended = await run([...way, 'sh', '-c', COUNTED, 'sh', counts, ...command], { ...options, command: 'unshare' })
    return { ...ended, beyond: unroutable(readFileSync(counts, 'utf8')) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The command, likewise. */
export const fakeCalendarAlone = (args: readonly string[], env?: Record<string, string>): Promise<Watched> =>
  runAlone([process.execPath, COMMAND, ...args], env)

/** As Linux counts it, for both versions of IP. */
function unroutable(counts: string): number {
  const [names = [], values = []] = [...counts.matchAll(/^Ip: (.*)$/gm)].map(([, words = '']) => words.split(' '))
  const [, six = 'none'] = /^Ip6OutNoRoutes\s+(\d+)$/m.exec(counts) ?? []
  return Number(values[names.indexOf('OutNoRoutes')]) + (/^\d+$/.test(six) ? Number(six) : 0)
}
