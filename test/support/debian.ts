import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Programs from Debian's packages. `.ci/run` installs them. Elsewhere the title of a skipped test names what is missing. */
export const PYTHON = '/usr/bin/python3'
/** Chromium without windows takes less processor time for the same pages. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
export const CHROMIUM = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium'
export const NGINX = '/usr/sbin/nginx'

/** Returns the reason why a test cannot run here; undefined if the command runs. Throws in CI, where all are installed. */
export function findMissingProgram(title: string, command: string, args: readonly string[]): string | undefined {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 20_000 })
    return undefined
  } catch {
    const reason = `${command} ${args.join(' ')} does not run: install ${title} (Debian)`
    if (process.env.CI === 'true') throw new Error(reason)
    return reason
  }
}
