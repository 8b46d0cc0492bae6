import { isJournalSize, MAX_JOURNAL_SIZE } from '../control/journal/journal.ts'
import { isIssuer, isWorldName } from '../http/urls.ts'
import { isTimeLimit, MAX_TIMER_MS } from '../model/clock.ts'
import type { ServerOptions } from '../server/server.ts'
import { CommandError } from './commandError.ts'
import type { OptionValues } from './defineCommand.ts'
import { flag, inGroup, type OptionTable, text, texts } from './optionTable.ts'
import {
  parseHttpUrl,
  parsePort,
  readTokens,
  requireEmail,
  requireInstant,
  requireStateName,
  requireText,
} from './optionValues.ts'

export type CalendarFile = { file: string; owner: string | undefined; calendar: string | undefined }

/** The options of a server. Seeds, tools and certificates are names of files. */
export type ServerCommandOptions = Omit<ServerOptions, 'seeds' | 'mcpTools' | 'log'> & {
  port: number
  host: string | undefined
  seeds: string[]
  calendarFiles: CalendarFile[]
  state: string | undefined
  mcpTools: string | undefined
  log: boolean
  /** Each kind of hint is printed once on stderr. Otherwise only that on a token without an account is. */
  printsHints?: boolean
  open: boolean
  output: 'text' | 'json' | 'none'
}

const APPROVALS = ['none', 'writes', 'all'] as const
/** The modes of conferences that need no number. */
const MODES = ['nextRequest', 'immediate', 'manual'] as const

/** `serve`, `exec` and `proxy` parse them, and their help lists them. */
export const SERVER_OPTIONS = {
  ...inGroup('Listening', {
    port: { ...text('PORT', 'Port to listen on; 0 selects a free one (default 8787, or env PORT)'), short: 'p' },
    host: text('HOST', 'Address to listen on (default 127.0.0.1 and ::1)'),
    'public-url': text('URL', 'First part of absolute URLs in replies, for a server behind a proxy'),
  }),
  ...inGroup('Worlds', {
    seed: texts('FILE', 'Initial data of each world: a JSON, YAML or iCalendar file, or the name of a demo world'),
    ics: texts('FILE', 'Additional iCalendar file, as a calendar of its own'),
    owner: texts('EMAIL', 'Owner of an --ics file; one for all files, or one for each in turn'),
    calendar: texts(
      'NAME',
      'Calendar for an --ics file: primary, a name or an id; one for all files, or one for each in turn',
    ),
    now: text('ISO', 'Freeze the clocks at an instant, such as 2026-03-02T09:00:00Z'),
    state: text(
      'FILE',
      'Keep the state of the world in this file, saved every minute and at the end; if it is there, it replaces --seed and --now',
    ),
    worlds: text('A,B', 'Allow only these worlds (default: any name creates one)'),
    'world-idle': text('TIME', 'Delete a world after this idle time, such as 1h (default: never)'),
  }),
  ...inGroup('Access', {
    strict: flag('Accept only the tokens that a seed names'),
    anonymous: text('EMAIL', 'Account of requests without credentials'),
    issuer: text(
      'URL',
      'Issuer of id tokens and of the OpenID configuration, or self (default https://accounts.google.com)',
    ),
    consent: flag('Show a consent page (default: consent is granted at once)'),
    'control-token': text(
      'TOKEN',
      'Token that /_control requires in X-Fake-Control-Token (env FAKE_CALENDAR_CONTROL_TOKEN)',
    ),
    'control-token-file': text('FILE', 'File with that token, so that the process list does not show it'),
    'control-host': texts(
      'NAME',
      'Additional host name for /_control; requires the control token (env FAKE_CALENDAR_CONTROL_HOST: A,B)',
    ),
  }),
  ...inGroup('Behaviour', {
    'strict-surface': flag('Reject unknown parameters and fields, which the service ignores'),
    'mcp-approval': text('TOOLS', 'Tools of the MCP server that ask the user first: none (the default), writes or all'),
    'mcp-series': text('FORM', 'How list_events of the MCP server lists a series: instances (the default) or once'),
    'mcp-agentic-only': flag('Accept at the MCP server only OAuth clients that the seed marks agentic'),
    'mcp-tool-scopes': flag('Name one scope for each tool of the MCP server, not those of all tools'),
    'mcp-tools': text('FILE', 'Recorded reply to tools/list of the MCP server, served in place of our own'),
    webhooks: text('WHERE', 'Receivers of push messages: loopback (addresses of this machine, the default), or any'),
    'webhook-ca': text('FILE', 'PEM certificates of the authorities of https receivers'),
    'webhook-timeout': text('TIME', 'Time limit for receivers, such as 10s (default 5s)'),
    conferences: text('MODE', 'When a requested conference is ready: nextRequest (the default), immediate or manual'),
    journal: text('N', 'Number of requests in the journal of each world; 0 disables it (default 1000)'),
  }),
  ...inGroup('Output', {
    log: flag('Print a line for each request on stderr: account, method, status, time, fault, hints'),
    open: flag('Open the inspector in a browser'),
    quiet: { ...flag('Print nothing, except the lines of --log'), short: 'q' },
    json: flag('Print one line of JSON: url, rootUrl, baseUrl, host, port, accounts, ui'),
  }),
} as const satisfies OptionTable

const DEFAULT_PORT = '8787'

type Env = Readonly<Record<string, string | undefined>>

export type ServerOptionValues = OptionValues<typeof SERVER_OPTIONS>
type TextName = {
  [N in keyof ServerOptionValues]-?: NonNullable<ServerOptionValues[N]> extends string ? N : never
}[keyof ServerOptionValues]

/** Adds defaults, also from PORT, FAKE_CALENDAR_CONTROL_TOKEN and FAKE_CALENDAR_CONTROL_HOST of `env`. */
export function toServerOptions(values: ServerOptionValues, env: Env): ServerCommandOptions {
  const { port, seed = [] } = values
  const parse = <T>(name: TextName, read: (option: string, text: string) => T): T | undefined => {
    const text = values[name]
    return text === undefined ? undefined : read(`--${name}`, text)
  }
  const parseFile = (option: string, text: string) => requireText(option, text, 'a file')
  const controlToken = toControlToken(values, env)
  return {
    port: port === undefined ? parsePort('PORT', env.PORT || DEFAULT_PORT) : parsePort('--port', port),
    host: parse('host', (option, text) => requireText(option, text, 'an address to listen on')),
    calendarFiles: toCalendarFiles(values),
    state: parse('state', requireStateName),
    seeds: seed.map((name) => requireText('--seed', name, 'a file or a demo world')),
    now: parse('now', requireInstant),
    auth: { mode: values.strict ? 'strict' : 'open', anonymous: parse('anonymous', requireEmail) },
    publicUrl: parse('public-url', requirePublicUrl),
    controlToken,
    controlHosts: toControlHosts(values['control-host'], controlToken, env),
    worlds: parse('worlds', parseWorlds),
    worldIdle: parse('world-idle', requireIdleTime),
    issuer: parse('issuer', requireIssuer),
    consent: values.consent ?? false,
    strictSurface: values['strict-surface'] ?? false,
    mcp: {
      approval: parseChoice('--mcp-approval', values['mcp-approval'] ?? 'none', APPROVALS),
      expandSeries: parseChoice('--mcp-series', values['mcp-series'] ?? 'instances', ['instances', 'once']) !== 'once',
      agenticOnly: values['mcp-agentic-only'] ?? false,
      toolScopes: values['mcp-tool-scopes'] ?? false,
    },
    mcpTools: parse('mcp-tools', parseFile),
    webhooks: parseChoice('--webhooks', values.webhooks ?? 'loopback', ['loopback', 'any']),
    webhookCa: parse('webhook-ca', parseFile),
    webhookTimeout: parse('webhook-timeout', requireWebhookTimeout),
    conferences: parse('conferences', (option, text) => ({ mode: parseChoice(option, text, MODES) })),
    journal: parse('journal', parseJournalSize),
    log: values.log ?? false,
    open: values.open ?? false,
    output: values.quiet ? 'none' : values.json ? 'json' : 'text',
  }
}

/** One owner and calendar for all files, or one for each. */
export function toCalendarFiles({ ics = [], owner = [], calendar = [] }: CalendarOptions): CalendarFile[] {
  for (const [name, values] of Object.entries({ owner, calendar })) {
    if (values.length > 0 && ics.length === 0) throw new CommandError(`--${name}: requires --ics`)
    if (values.length > 1 && values.length !== ics.length) {
      throw new CommandError(
        `--${name}: ${values.length} for ${ics.length} files of --ics (expected one, or one for each)`,
      )
    }
  }
  for (const address of owner) requireEmail('--owner', address)
  for (const name of calendar) requireText('--calendar', name, 'primary, a name or an id')
  for (const file of ics) requireText('--ics', file, 'an iCalendar file')
  return ics.map((file, at) => ({
    file,
    owner: owner[at] ?? owner[0],
    calendar: calendar[at] ?? calendar[0],
  }))
}

type CalendarOptions = { ics?: string[] | undefined; owner?: string[] | undefined; calendar?: string[] | undefined }

function toControlToken(values: ServerOptionValues, env: Env): string | undefined {
  const { 'control-token': token, 'control-token-file': file } = values
  if (token !== undefined && file !== undefined)
    throw new CommandError('--control-token-file: cannot be combined with --control-token')
  if (token !== undefined) return requireText('--control-token', token, 'a token; without the option, none is required')
  if (file !== undefined) return readTokens('--control-token-file', file)[0]
  return env.FAKE_CALENDAR_CONTROL_TOKEN || undefined
}

function toControlHosts(names: readonly string[] | undefined, token: string | undefined, env: Env): string[] {
  const option = names ? '--control-host' : 'FAKE_CALENDAR_CONTROL_HOST'
  const hosts = names ?? (env.FAKE_CALENDAR_CONTROL_HOST || undefined)?.split(',').map((name) => name.trim()) ?? []
  if (hosts.length > 0 && !token) throw new CommandError(`${option}: requires --control-token`)
  return hosts.map((name) => requireText(option, name, 'another name of this machine'))
}

function requirePublicUrl(option: string, text: string): string {
  const { search, hash } = parseHttpUrl(option, text, 'https://calendar.example.com')
  if (search || hash) throw new CommandError(`${option}: has a query or a fragment: ${text} (expected none)`)
  return text
}

function requireIssuer(option: string, text: string): string {
  if (isIssuer(text)) return text
  throw new CommandError(
    `${option}: ${text} (expected self, or a form such as http://127.0.0.1:8787, without a slash at its end)`,
  )
}

function parseWorlds(option: string, text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const wrong = names.find((name) => !isWorldName(name))
  if (wrong !== undefined) throw new CommandError(`${option}: not a world name: ${wrong || '(empty)'}`)
  return names
}

/** A number without a unit is in milliseconds. */
function requireWebhookTimeout(option: string, text: string): string {
  const time = /^\d+$/.test(text) ? `${text}ms` : text
  if (isTimeLimit(time, MAX_TIMER_MS)) return time
  throw new CommandError(`${option}: ${text} (expected a form such as 10s)`)
}

function requireIdleTime(option: string, text: string): string {
  if (isTimeLimit(text)) return text
  throw new CommandError(`${option}: ${text} (expected a form such as 1h)`)
}

function parseJournalSize(option: string, text: string): number {
  const size = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (isJournalSize(size)) return size
  throw new CommandError(`${option}: ${text} (expected a number from 0 to ${MAX_JOURNAL_SIZE})`)
}

function parseChoice<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  const list = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  throw new CommandError(`${option}: ${text} (expected ${list})`)
}
