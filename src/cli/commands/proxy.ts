import { mayPass } from '../../interception/hosts.ts'
import { CommandError } from '../commandError.ts'
import { named, OPTIONS, type Option, type Options, optionsOf, parsed, portOf, rowsOf } from '../serverOptions.ts'

type Env = Readonly<Record<string, string | undefined>>

const { quiet: _, json, version: __, port: ___, ...SERVER } = OPTIONS
const ALLOW = {
  type: 'string',
  multiple: true,
  value: 'HOST',
  about: 'Another host that may be called, or *.example.com; repeatable',
} as const satisfies Option

const EXEC = {
  intercept: {
    type: 'boolean',
    about: "Answer what the command sends to the service's own hosts, and refuse any other host",
  },
  isolate: {
    type: 'boolean',
    about: 'Linux: the same in a network of its own, from which nothing leads out but the proxy; brings --intercept',
  },
  allow: ALLOW,
  ui: { type: 'boolean', about: 'Print the address of the inspector on stderr' },
  import: { type: 'string', value: 'FILE', about: 'Begin with a state, as --export-on-exit writes it' },
  'export-on-exit': {
    type: 'string',
    value: 'FILE',
    about: 'Write the state of the world there once the command has ended',
  },
  port: { type: 'string', short: 'p', value: 'PORT', about: 'Port of the fake; without it any free one' },
  ...SERVER,
} as const satisfies Record<string, Option>

const PROXY = {
  port: OPTIONS.port,
  'proxy-port': { type: 'string', value: 'PORT', about: 'Port of the proxy; 0 is any free one (8788)' },
  allow: ALLOW,
  json: { ...json, about: "Print one line of JSON: what a server's says, with proxy and env" },
  ...SERVER,
} as const satisfies Record<string, Option>

export type ExecOptions = {
  ask: 'exec'
  server: Options
  command: string
  args: string[]
  intercept: boolean
  isolate: boolean
  ui: boolean
  allow: string[]
  exportOnExit: string | undefined
}
export type ProxyCommand = { ask: 'proxy'; server: Options; proxyPort: number; allow: string[] }
type Help = { ask: 'help'; text: string }

const NO_COMMAND = 'exec: name a command after --, as in: fake-calendar exec -- npm test'

/** Reads what stands after `exec`: options, then `--`, then a command and all that is its own. */
export function readExec(args: readonly string[], env: Env): ExecOptions | Help {
  const end = args.indexOf('--')
  if (end < 0 && !args.some((arg) => arg === '--help' || arg === '-h')) throw new CommandError(NO_COMMAND)
  const values = parsed(end < 0 ? args : args.slice(0, end), EXEC)
  if (values.help) return { ask: 'help', text: EXEC_HELP }
  const [command, ...rest] = args.slice(end + 1)
  if (!command) throw new CommandError(NO_COMMAND)
  const {
    isolate = false,
    intercept = isolate,
    ui = false,
    allow = [],
    import: state,
    'export-on-exit': exportOnExit,
  } = values
  if (allow.length > 0 && !intercept)
    throw new CommandError('--allow: give --intercept with it; else nothing is refused')
  if (state !== undefined && values.seed) throw new CommandError('--import: a state is a whole world; leave --seed out')
  const seed = state === undefined ? values.seed : [named('--import', state, 'a file')]
  return {
    ask: 'exec',
    // A PORT that is set is meant for the command.
    server: optionsOf({ ...values, seed }, { ...env, PORT: '0' }),
    command,
    args: rest,
    intercept,
    isolate,
    ui,
    allow: allow.map(allowed),
    exportOnExit: exportOnExit === undefined ? undefined : named('--export-on-exit', exportOnExit, 'a file'),
  }
}

/** Reads what stands after `proxy`. */
export function readProxy(args: readonly string[], env: Env): ProxyCommand | Help {
  const values = parsed(args, PROXY)
  if (values.help) return { ask: 'help', text: PROXY_HELP }
  const { 'proxy-port': port = '8788', allow = [] } = values
  return {
    ask: 'proxy',
    server: optionsOf(values, env),
    proxyPort: portOf('--proxy-port', port),
    allow: allow.map(allowed),
  }
}

function allowed(host: string): string {
  if (!mayPass(host))
    throw new CommandError(`--allow: ${host || 'it is empty'} (expected a host that is not the service's own)`)
  return host
}

const EXEC_HELP = `Usage: fake-calendar exec [options] -- COMMAND [ARGUMENTS]

Runs a command beside a fake of its own, which it finds in FAKE_CALENDAR_URL, and ends with its exit code.

${rowsOf(EXEC)}`

const PROXY_HELP = `Usage: fake-calendar proxy [options]

Serves, and opens a forward proxy that answers for the service's own hosts. It prints the variables by which programs use it.

${rowsOf(PROXY)}`
