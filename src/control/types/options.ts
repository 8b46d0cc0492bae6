import { isPemCertificates } from '../../effects/push/channels.ts'
import { isIssuer } from '../../http/urls.ts'
import type { McpOptions } from '../../mcp/host.ts'
import { isTimeLimit, MAX_TIMER_MS } from '../../model/clock.ts'
import { CONFERENCE_MODES } from '../../schema/conferenceModes.ts'
import type { ConferenceMode, ConferencePolicy } from '../../schema/conferencePolicy.ts'
import { findNearest } from '../../schema/values/nearest.ts'
import type { FixtureName } from '../../seeds/fixtures.ts'
import { isConferencePolicy } from '../../seeds/parseSeed.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import { isJournalSize, MAX_JOURNAL_SIZE } from '../journal/journal.ts'

export type FakeCalendarOptions = {
  /**
   * The initial state of every world: one seed, several seeds in order, or the name of a demo world of the package. The
   * default is alice@example.com with an empty calendar.
   */
  seed?: Seed | FixtureName | readonly (Seed | FixtureName)[]
  /** The time at which the clocks of the worlds are frozen. The default is the machine's clock. */
  now?: Date | string | number
  /** Accepts only tokens that a seed or the world issued. The default accepts any bearer token. */
  strict?: boolean
  /** The account of requests without credentials. The default rejects them with 401. */
  anonymous?: string
  /** The base of absolute URLs in responses, if clients reach the server at another address than its own. */
  publicUrl?: string
  /**
   * The token that `/_control` requires in `X-Fake-Control-Token`. Without it, any program on this machine may call
   * it.
   */
  controlToken?: string
  /** Other host names under which `/_control` may be called, as in a network of containers. Requires `controlToken`. */
  controlHosts?: readonly string[]
  /** The allowed worlds. Requests for others are answered with 404. The default allows any name. */
  worlds?: readonly string[]
  /**
   * Worlds that are unused for so long are deleted: real time in milliseconds, or text such as `1h`. They are created
   * again when they are next used. The world `default` is never deleted. The default deletes none.
   */
  worldIdle?: string | number
  /**
   * The issuer of id tokens and of the OpenID configuration: a URL without a slash at its end, or `self` for the address of the
   * world. The default is `https://accounts.google.com`.
   */
  issuer?: string
  /** Shows a page that requests an account and its consent. The default grants authorization at once. */
  consent?: boolean
  /**
   * Settings of the MCP server: `approval` (`none`, `writes` or `all`: which tools ask the user), `expandSeries` (false
   * lists a series once), `agenticOnly` (accepts only OAuth clients that the seed marks `agentic`), and `toolScopes`
   * (names one scope for each tool).
   */
  mcp?: McpOptions
  /** Rejects unknown parameters and fields, which the service ignores. */
  strictSurface?: boolean
  /**
   * The allowed receivers of push messages. The default is loopback addresses; messages to others are kept and marked
   * as withheld.
   */
  webhooks?: 'loopback' | 'any'
  /** Certificates (PEM) of authorities that are trusted for HTTPS receivers, in addition to those of Node. */
  webhookCa?: string
  /** The time limit of a receiver in real time: milliseconds, or text such as `10s`. The default is five seconds. */
  webhookTimeout?: string | number
  /** The policy for conference requests: a mode (`immediate`) or a policy. A seed takes precedence. */
  conferences?: ConferenceMode | ConferencePolicy
  /**
   * The number of requests that the journal of each world keeps, at most 16 MB. The default is 1,000; 0 disables it.
   */
  journal?: number
  /**
   * Receives one line per response: time, world, account, method, URL, status and duration, then reason, fault and
   * hints if any. Secrets are redacted.
   */
  log?: (line: string) => void
}

type Kind = { expected: string; fits(value: unknown): boolean }

const text: Kind = { expected: 'a string', fits: (value) => typeof value === 'string' }
const flag: Kind = { expected: 'true or false', fits: (value) => typeof value === 'boolean' }
const names: Kind = {
  expected: 'a list of strings',
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
}
/** The content of a seed is validated when it is applied. */
const seed: Kind = { expected: 'a seed', fits: () => true }

const APPROVALS: readonly unknown[] = [undefined, 'none', 'writes', 'all']
const isFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean'

const OPTIONS: { [N in keyof FakeCalendarOptions]-?: Kind } = {
  seed,
  now: {
    expected: 'a Date, a number or a string',
    fits: (value) =>
      ['number', 'string'].includes(typeof value) || Object.prototype.toString.call(value) === '[object Date]',
  },
  strict: flag,
  anonymous: text,
  publicUrl: text,
  controlToken: text,
  controlHosts: names,
  worlds: names,
  worldIdle: { expected: 'a duration of a millisecond or more such as 1h', fits: (value) => isTimeLimit(value) },
  issuer: {
    expected: '"self", or a URL without a query, a fragment or a slash at its end',
    fits: (value) => typeof value === 'string' && isIssuer(value),
  },
  consent: flag,
  mcp: {
    expected: 'an object of approval (none, writes or all), expandSeries, agenticOnly and toolScopes (true or false)',
    fits(value) {
      if (typeof value !== 'object' || value === null) return false
      const { approval, expandSeries, agenticOnly, toolScopes, ...others } = value as McpOptions
      const areKnown = APPROVALS.includes(approval) && [expandSeries, agenticOnly, toolScopes].every(isFlag)
      return areKnown && Object.keys(others).length === 0
    },
  },
  strictSurface: flag,
  webhooks: { expected: '"loopback" or "any"', fits: (value) => value === 'loopback' || value === 'any' },
  webhookCa: { expected: 'certificates as PEM', fits: (value) => isPemCertificates(value) },
  webhookTimeout: { expected: 'a time-out such as 10s', fits: (value) => isTimeLimit(value, MAX_TIMER_MS) },
  conferences: {
    expected: `one of ${CONFERENCE_MODES.join(', ')}, or a policy`,
    fits: (value) => CONFERENCE_MODES.some((mode) => mode === value) || isConferencePolicy(value),
  },
  journal: { expected: `a whole number from 0 to ${MAX_JOURNAL_SIZE}`, fits: (value) => isJournalSize(value) },
  log: { expected: 'a function that takes a line', fits: (value) => typeof value === 'function' },
}

/** Returns the same options. Throws a TypeError for an unknown option (it names the nearest) or a wrong value. */
export function checkOptions(options: FakeCalendarOptions): FakeCalendarOptions {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createFakeCalendar expects an object of options')
  const kinds: Readonly<Record<string, Kind>> = OPTIONS
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) {
      const nearest = findNearest(name, Object.keys(kinds))
      throw new TypeError(
        `createFakeCalendar has no option ${JSON.stringify(name)}; did you mean ${JSON.stringify(nearest)}?`,
      )
    }
    const { expected, fits } = kinds[name] ?? seed
    if (value !== undefined && !fits(value)) throw new TypeError(`createFakeCalendar: ${name} must be ${expected}`)
  }
  return options
}
