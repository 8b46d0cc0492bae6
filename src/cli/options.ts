import type { ParseArgsConfig } from 'node:util'
import { isEmail, isWorldName } from '../http/auth.ts'
import { isIdle } from '../life/idle.ts'
import { isTimeout } from '../push/receivers.ts'
import { isRoom, MOST } from '../rig/journal.ts'
import { momentOf } from '../time/clock.ts'
import type { ConferenceMode } from '../wire/conferencePolicy.ts'
import { nearest } from '../wire/nearest.ts'
import { isDate } from '../wire/params.ts'
import { CommandError } from './commandError.ts'

export type Options = {
  port: number
  /** Both loopback addresses, where none is named. */
  host: string | undefined
  seeds: string[]
  now: string | undefined
  strict: boolean
  anonymous: string | undefined
  publicUrl: string | undefined
  controlToken: string | undefined
  controlHosts: string[]
  worlds: string[] | undefined
  worldIdle: string | undefined
  consent: boolean
  strictSurface: boolean
  webhooks: 'loopback' | 'any'
  /** The file of certificates, as it was given. */
  webhookCa: string | undefined
  webhookTimeout: string | undefined
  conferences: ConferenceMode | undefined
  journal: number | undefined
  log: boolean
  /** Shows the inspector in the browser of whoever starts it. */
  open: boolean
  output: 'text' | 'json' | 'none'
}
/** What a command line asks for: a server, or something to read. */
export type Asked = { ask: 'help' } | { ask: 'version' } | ({ ask: 'serve' } & Options)

export type Option = { type: 'string' | 'boolean'; short?: string; multiple?: true; value?: string; about: string }

/** Every option of a server that there is; parsing and `--help` both read this. */
export const OPTIONS = {
  port: {
    type: 'string',
    short: 'p',
    value: 'PORT',
    about: 'Port to listen on; 0 is any free one (8787, or env PORT)',
  },
  host: { type: 'string', value: 'HOST', about: 'Address to listen on (127.0.0.1 and ::1)' },
  seed: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    about: 'What the worlds start from: a file, JSON or iCalendar, or a shipped fixture by name; repeatable',
  },
  now: { type: 'string', value: 'ISO', about: "Where the worlds' clocks stand still, such as 2026-03-02T09:00:00Z" },
  strict: { type: 'boolean', about: 'Accept only the tokens that a seed names' },
  anonymous: { type: 'string', value: 'EMAIL', about: 'Who calls when a request brings no credentials' },
  'public-url': { type: 'string', value: 'URL', about: 'What absolute URLs in replies begin with, behind a proxy' },
  'control-token': { type: 'string', value: 'TOKEN', about: 'What /_control asks for in X-Fake-Control-Token' },
  'control-host': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    about: 'Another name of this machine by which /_control may be called with the control token; repeatable',
  },
  worlds: { type: 'string', value: 'A,B', about: 'The only worlds that there may be; without it any that is named' },
  'world-idle': { type: 'string', value: 'TIME', about: 'End a world that is unused for so long, such as 1h (never)' },
  consent: { type: 'boolean', about: 'Show a consent page; without it authorization is granted at once' },
  'strict-surface': {
    type: 'boolean',
    about: 'Refuse parameters and fields that the service does not know, and ignores',
  },
  webhooks: {
    type: 'string',
    value: 'WHERE',
    about: 'Where push messages are posted: loopback addresses alone (loopback), or any',
  },
  'webhook-ca': {
    type: 'string',
    value: 'FILE',
    about: 'Certificates (PEM) of the authorities that receivers of https are known by',
  },
  'webhook-timeout': {
    type: 'string',
    value: 'TIME',
    about: 'How long a receiver may take to answer, such as 10s (5s)',
  },
  conferences: {
    type: 'string',
    value: 'MODE',
    about: 'When conferences asked for are there: with the next request (nextRequest), immediate, or manual',
  },
  journal: {
    type: 'string',
    value: 'N',
    about: 'How many requests the journal of each world keeps; 0 for none (1000)',
  },
  log: {
    type: 'boolean',
    about: 'Print a line for each request on stderr: account, method, status, time, fault, hints',
  },
  open: { type: 'boolean', about: 'Open the inspector in a browser' },
  quiet: { type: 'boolean', short: 'q', about: 'Print nothing, but the lines of --log' },
  json: { type: 'boolean', about: 'Print one line of JSON: url, rootUrl, baseUrl, host, port, accounts, ui' },
  help: { type: 'boolean', short: 'h', about: 'Print this' },
  version: { type: 'boolean', short: 'v', about: 'Print the version' },
} as const satisfies Record<string, Option>

const DEFAULT_PORT = '8787'

/** Reads a command line. Whatever is wrong with it is a CommandError. */
export function readOptions(args: readonly string[], env: Record<string, string | undefined>): Asked {
  const values = parsed(args, OPTIONS)
  if (values.help) return { ask: 'help' }
  if (values.version) return { ask: 'version' }
  return { ask: 'serve', ...optionsOf(values, env) }
}

type Values = ReturnType<typeof parsed<typeof OPTIONS>>

/** What the options say of a server. */
export function optionsOf(values: Values, env: Record<string, string | undefined>): Options {
  const { port, host, seed, now, anonymous, webhooks, conferences, worlds, ...flags } = values
  const publicUrl = flags['public-url']
  return {
    port: port === undefined ? portOf('PORT', env.PORT || DEFAULT_PORT) : portOf('--port', port),
    host: host === undefined ? undefined : named('--host', host, 'an address to listen on'),
    seeds: (seed ?? []).map((name) => named('--seed', name, 'a file or a fixture')),
    now: now === undefined ? undefined : checkedInstant(now),
    strict: flags.strict ?? false,
    anonymous: anonymous === undefined ? undefined : addressOf(anonymous),
    publicUrl: publicUrl === undefined ? undefined : httpUrlOf(publicUrl),
    controlToken: tokenOf(flags['control-token']),
    controlHosts: hostsOf(flags['control-host'], flags['control-token']),
    worlds: worlds === undefined ? undefined : worldsOf(worlds),
    worldIdle: idleOf(flags['world-idle']),
    consent: flags.consent ?? false,
    strictSurface: flags['strict-surface'] ?? false,
    webhooks: webhooks === undefined ? 'loopback' : reachOf(webhooks),
    webhookCa: flags['webhook-ca'],
    webhookTimeout: timeoutOf(flags['webhook-timeout']),
    conferences: conferences === undefined ? undefined : modeOf(conferences),
    journal: flags.journal === undefined ? undefined : roomOf(flags.journal),
    log: flags.log ?? false,
    open: flags.open ?? false,
    output: flags.quiet ? 'none' : flags.json ? 'json' : 'text',
  }
}

/** The values that a command line gives to options. */
export function parsed<O extends Readonly<Record<string, Option>>>(args: readonly string[], options: O) {
  // An import would load all that node:util exports, some milliseconds of a start.
  const { parseArgs } = process.getBuiltinModule('node:util')
  try {
    const { values, tokens } = parseArgs({
      args: [...args],
      options: options satisfies ParseArgsConfig['options'],
      tokens: true,
    })
    const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    requireOnce(given, options)
    return values
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [said = ''] = error.message.split(/\. |\n/)
    throw new CommandError(`${said.replace(/\.$/, '')}${meant(said, options)} (--help lists the options)`)
  }
}

/** Of two values one would be dropped without a word. */
function requireOnce(given: readonly string[], options: Readonly<Record<string, Option>>): void {
  const again = given.find((name, at) => !options[name]?.multiple && given.indexOf(name) < at)
  if (again !== undefined) throw new CommandError(`--${again} is given more than once (--help lists the options)`)
}

function meant(said: string, options: object): string {
  const [, unknown] = /^Unknown option '--([^'=]+)/.exec(said) ?? []
  return unknown === undefined ? '' : `; did you mean '--${nearest(unknown, Object.keys(options))}'?`
}

/** An empty text is mostly a variable that is not set, and never what is meant. */
export function named(option: string, text: string, expected: string): string {
  if (text.trim() === '') throw new CommandError(`${option}: it is empty (expected ${expected})`)
  return text
}

const tokenOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : named('--control-token', text, 'a token; without the option none is asked for')

export function portOf(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new CommandError(`${name}: not a port: ${text} (expected a number from 0 to 65535)`)
  return port
}

function checkedInstant(text: string): string {
  try {
    momentOf(text)
    if (!isDate(text.slice(0, text.indexOf('T'))))
      throw new RangeError(`not an instant: ${text} (there is no such day)`)
    return text
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(`--now: ${error.message}`) : error
  }
}

function addressOf(text: string): string {
  if (!isEmail(text)) throw new CommandError(`--anonymous: not an e-mail address: ${text}`)
  return text
}

function httpUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new CommandError(`--public-url: not a URL: ${text} (expected a form such as https://calendar.example.com)`)
  }
  return text
}

function hostsOf(names: string[] = [], token: string | undefined): string[] {
  if (names.length > 0 && !token) throw new CommandError('--control-host: give a --control-token with it')
  return names.map((name) => named('--control-host', name, 'another name of this machine'))
}

function worldsOf(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  const wrong = names.find((name) => !isWorldName(name))
  if (wrong !== undefined) throw new CommandError(`--worlds: not the name of a world: ${wrong || '(empty)'}`)
  return names
}

function reachOf(text: string): 'loopback' | 'any' {
  if (text === 'loopback' || text === 'any') return text
  throw new CommandError(`--webhooks: ${text} (expected loopback or any)`)
}

function timeoutOf(text: string | undefined): string | undefined {
  const ofMs = text !== undefined && /^\d+$/.test(text) ? `${text}ms` : text
  return ofMs === undefined || isTimeout(ofMs)
    ? ofMs
    : wrong(`--webhook-timeout: ${text} (expected a form such as 10s)`)
}

function idleOf(text: string | undefined): string | undefined {
  if (text === undefined || isIdle(text)) return text
  return wrong(`--world-idle: ${text} (expected a form such as 1h)`)
}

/** The modes that need nothing beside them; a seed may say any other. */
function modeOf(text: string): ConferenceMode {
  const modes: readonly ConferenceMode[] = ['nextRequest', 'immediate', 'manual']
  return modes.find((mode) => mode === text) ?? wrong(`--conferences: ${text} (expected ${modes.join(', ')})`)
}

function roomOf(text: string): number {
  const room = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  return isRoom(room) ? room : wrong(`--journal: ${text} (expected a number from 0 to ${MOST})`)
}

function wrong(message: string): never {
  throw new CommandError(message)
}

/** The text of `--help`. */
export function help(): string {
  return `Usage: fake-calendar [options]
       fake-calendar exec [options] -- COMMAND    (runs a command beside a fake of its own; exec --help)
       fake-calendar proxy [options]              (a server, and a proxy that leads to it; proxy --help)
       fake-calendar export --ics CALENDAR [options]
       fake-calendar conform --base-url URL --token TOKEN    (holds a server against what is known; conform --help)
       fake-calendar capture --token TOKEN        (writes a seed of a real account; capture --help)
       fake-calendar seed check|format FILE…      (what is wrong with seeds, and how they are written; seed --help)

Serves an in-memory stand-in for the Google Calendar API v3.

${rowsOf(OPTIONS)}`
}

/** A table of options as lines of a help text. */
export const rowsOf = (options: Readonly<Record<string, Option>>): string =>
  Object.entries(options)
    .map(([name, { short, value, about }]) => {
      const long = `--${name}${value ? ` ${value}` : ''}`
      return `  ${short ? `-${short}, ` : '    '}${long.padEnd(21)} ${about}\n`
    })
    .join('')
