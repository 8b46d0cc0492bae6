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
export function exitWithNpm(env: Readonly<Record<string, string | undefined>>, gone: () => void): void {
  if (!isNpms(env)) return
  const parent = process.ppid
  const stays = aboveShell(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && stays()) return
    clearInterval(timer)
    gone()
  }, EVERY)
  timer.unref()
}

/** Whether npm was asked for this command, in the foreground: it tells what it runs. */
const isNpms = ({ npm_lifecycle_script: script = '' }: Readonly<Record<string, string | undefined>>): boolean =>
  /^['"]?(node bin\/)?fake-calendar(\.js)?['"]?(\s[^&|;]*)?$/.test(script)

/**
 * Whether the parent of our parent is still the same, where ours is a shell: npm has one run what it is asked for, and some
 * shells step aside for it. On a platform that does not tell, our own parent has to do.
 */
function aboveShell(pid: number): () => boolean {
  const { parent, name } = told(pid) ?? {}
  if (parent === undefined || !/^-?(ba|da|a|z|k)?sh$/.test(name ?? '')) return () => true
  // One that has ended and waits for somebody to take note of it still has its number, but no children.
  return process.platform === 'linux' ? () => told(pid)?.parent === parent : () => isThere(parent)
}

/** A process's name and its parent, where the platform tells them and the process is there. */
function told(pid: number): { parent: number; name: string } | undefined {
  try {
    const [, name = '', parent] =
      process.platform === 'linux'
        ? (/\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [])
        : (/([^\s/]+)\s+(\d+)\s*$/.exec(ps(pid)) ?? [])
    return { name, parent: Number(parent) }
  } catch {
    return undefined
  }
}

const ps = (pid: number): string =>
  execFileSync('ps', ['-o', 'comm=', '-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' })

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
