import { execFileSync } from 'node:child_process'

/** Programs of Debian's that clients run in, and what stands before many processes. `.ci/run` installs them; elsewhere a test says what it lacks. */
export const PYTHON = '/usr/bin/python3'
export const CHROMIUM = '/usr/bin/chromium'
export const NGINX = '/usr/sbin/nginx'

/** Why a test cannot run here; in CI nothing may be lacking. */
export function lacking(what: string, command: string, args: readonly string[]): string | undefined {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 20_000 })
    return undefined
  } catch {
    const reason = `${command} ${args.join(' ')} does not run: install ${what} (Debian)`
    if (process.env.CI === 'true') throw new Error(reason)
    return reason
  }
}
