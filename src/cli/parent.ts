import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** How often, in milliseconds, it is seen whether those who started us are still there. */
const EVERY = 250

/**
 * Calls back once the npm process that runs this command alone is gone: npx, `npm exec`, or a script that is nothing but
 * the command. A signal that ends npm reaches only the shell between us, or nobody, and the port would stay taken.
 *
 * Nothing else ends us so: who starts the command in the background, by whatever way, may end and leave it running. Its
 * standard input says nothing of that either: in CI it is often closed from the start.
 */
export function onNpmGone(env: Readonly<Record<string, string | undefined>>, gone: () => void): void {
  if (!isNpms(env)) return
  const parent = process.ppid
  const npm = behindShell(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isThere(npm))) return
    clearInterval(timer)
    gone()
  }, EVERY)
  timer.unref()
}

/** Whether npm was asked for this command, in the foreground: it tells what it runs. */
const isNpms = ({ npm_lifecycle_script: script = '' }: Readonly<Record<string, string | undefined>>): boolean =>
  /^['"]?(node bin\/)?fake-calendar(\.js)?['"]?(\s[^&|;]*)?$/.test(script)

/** npm has a shell run what it is asked for, and some shells step aside for it: the parent of ours, where it is a shell. */
function behindShell(pid: number): number | undefined {
  try {
    const { parent, name } = process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
    return /^-?(ba|da|a|z|k)?sh$/.test(name) ? parent : undefined
  } catch {
    return undefined // a platform that tells neither way: there our own parent has to do
  }
}

function fromProc(pid: number) {
  const [, name = '', parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  return { name, parent: Number(parent) }
}

function fromPs(pid: number) {
  const said = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' })
  const [, parent, name = ''] = /^\s*(\d+)\s+(?:.*\/)?(\S+)/.exec(said) ?? []
  return { name, parent: Number(parent) }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
