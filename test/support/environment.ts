import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './command.ts'
import { reportNotTried } from './notTried.ts'

const CACHE = join(ROOT, 'node_modules', '.cache', 'environments')
/** The errors of npm without a network, and those of a registry that is down. */
const UNREACHABLE =
  /npm (?:error|ERR!) (?:code|errno) (?:ENOTFOUND|EAI_AGAIN|ECONN\w+|E?TIMEDOUT|ERR_SOCKET_TIMEOUT|ENET\w+|EHOST\w+|ENOTCACHED|E5\d\d)\b/

const environments = new Map<string, Promise<string | undefined>>()

/**
 * Installs the packages of a folder with its own `package.json` and `package-lock.json`, such as `docs/.vitepress`, and
 * returns a folder that contains them in `node_modules`. Later calls and other processes use the same folder. Returns
 * undefined if the npm registry cannot be reached; the run then names it at its end. Throws if the environment has
 * `REQUIRE_PROGRAMS=1`, and after any other error.
 */
export function installEnvironment(folder: string): Promise<string | undefined> {
  const environment = environments.get(folder) ?? install(folder)
  environments.set(folder, environment)
  return environment
}

async function install(folder: string): Promise<string | undefined> {
  const source = join(ROOT, folder)
  const lock = readFileSync(join(source, 'package-lock.json'))
  const digest = createHash('sha256').update(lock).update(process.version).digest('hex').slice(0, 16)
  const target = join(CACHE, `${basename(folder).replace(/^\./, '')}-${digest}`)
  if (existsSync(target)) return target
  mkdirSync(CACHE, { recursive: true })
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'))
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    if (existsSync(join(source, name))) cpSync(join(source, name), join(unfinished, name))
  try {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1']
    await promisify(execFile)('npm', args, { cwd: unfinished, env: withoutNpm(process.env), maxBuffer: 1e8 })
    renameUnlessPresent(unfinished, target)
    return target
  } catch (error) {
    if (process.env.REQUIRE_PROGRAMS === '1' || !UNREACHABLE.test(String(error))) throw error
    reportNotTried({ name: `the packages of ${folder} from the npm registry` })
    return undefined
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Returns the environment without the variables that npm sets for the scripts of this package. */
const withoutNpm = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^npm_(?:package|lifecycle|command|config_local)/.test(name)),
  )

/** Another process may have installed the same packages in the meantime. Only a complete folder gets the name. */
function renameUnlessPresent(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
  }
}
