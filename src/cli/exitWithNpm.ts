import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Interval in milliseconds of checks for the parent process. */
const CHECK_INTERVAL_MS = 250

/**
 * Calls `onGone` once, when the npm process that runs only this command has ended: npx, `npm exec`, or a script that consists
 * of the command. Does nothing if the variables of npm in `env` name no such process. A signal that ends npm may not reach this
 * process, and the port would stay taken.
 *
 * A command that another process started in the background continues when that process ends. A closed standard input
 * does not end it either, because in CI it is often closed from the start.
 */
export function exitWithNpm(env: Readonly<Record<string, string | undefined>>, onGone: () => void): void {
  if (!isRunByNpm(env)) return
  const parent = process.ppid
  const isGrandparentAlive = createGrandparentCheck(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && isGrandparentAlive()) return
    clearInterval(timer)
    onGone()
  }, CHECK_INTERVAL_MS)
  timer.unref()
}

const isRunByNpm = ({ npm_lifecycle_script: script = '' }: Readonly<Record<string, string | undefined>>): boolean =>
  /^['"]?(node bin\/)?fake-calendar(\.js)?['"]?(\s[^&|;]*)?$/.test(script)

/**
 * Returns a function that returns true while the parent of the process `pid` exists. npm runs commands by a shell, which may
 * survive npm. The function always returns true if the process is not a shell, or its parent is unknown.
 */
function createGrandparentCheck(pid: number): () => boolean {
  const { parent, name } = readProcess(pid) ?? {}
  if (parent === undefined || !/^-?(ba|da|a|z|k)?sh$/.test(name ?? '')) return () => true
  return process.platform === 'linux' ? () => readProcess(pid)?.parent === parent : () => isProcessAlive(parent)
}

/**
 * Returns the name and the parent of a process; undefined if the platform does not provide them, or the process has
 * ended.
 */
function readProcess(pid: number): { parent: number; name: string } | undefined {
  try {
    const [, name = '', parent] =
      process.platform === 'linux'
        ? (/\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [])
        : (/([^\s/]+)\s+(\d+)\s*$/.exec(runPs(pid)) ?? [])
    return { name, parent: Number(parent) }
  } catch {
    return undefined
  }
}

/** Returns a line with the name and the parent of a process, by `ps`. Throws if the process does not exist. */
const runPs = (pid: number): string =>
  execFileSync('ps', ['-o', 'comm=', '-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' })

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
