import { isIdle } from '../life/idle.ts'
import { isCertificates, isTimeout } from '../push/receivers.ts'
import type { FixtureName } from '../seeds/fixtures.ts'
import { isJournalSize, MAX_JOURNAL_SIZE } from '../testing/journal/journal.ts'
import {
  CONFERENCE_MODES,
  type ConferenceMode,
  type ConferencePolicy,
  conferencePolicy,
} from '../wire/conferencePolicy.ts'
import { nearest } from '../wire/nearest.ts'
import type { Seed } from '../wire/seeds/seed.ts'

export type FakeCalendarOptions = {
  /**
   * What every world starts from: one seed or several, in order, or the name of a fixture that the package brings.
   * Without one: alice@example.com and her empty calendar.
   */
  seed?: Seed | FixtureName | readonly (Seed | FixtureName)[]
  /** The instant at which the worlds' clocks stand still. Without one they follow the machine. */
  now?: Date | string | number
  /** Accept only tokens that a seed names; without it any bearer token is good. */
  strict?: boolean
  /** The account of requests that bring no credentials; without one they are refused with 401. */
  anonymous?: string
  /** What absolute URLs in replies begin with, where clients reach the server by another address than its own. */
  publicUrl?: string
  /** What `/_control` asks for in `X-Fake-Control-Token`. Without one, any program on this machine may use it. */
  controlToken?: string
  /** By which other Host names `/_control` may be called, as in a network of containers: together with the control token. */
  controlHosts?: readonly string[]
  /** The only worlds that there may be: requests for any other answer 404 and say why. Without it any that is named. */
  worlds?: readonly string[]
  /**
   * How long, in real time, a world may be unused before it is ended: milliseconds, or text such as `1h`. It begins anew
   * when it is next named. The first world, `default`, never ends. Without it none does.
   */
  worldIdle?: string | number
  /** Show a page that asks for an account and its consent; without it authorization is granted at once. */
  consent?: boolean
  /** Refuse parameters and fields that the service does not know. The service ignores them. */
  strictSurface?: boolean
  /** Where push messages are posted: to loopback addresses alone, unless `any` is said. Others are kept, marked as withheld. */
  webhooks?: 'loopback' | 'any'
  /** Certificates, as PEM, of the authorities that receivers of https are known by, beside those that Node knows. */
  webhookCa?: string
  /** How long a receiver may take to answer, in real time: milliseconds, or text such as `10s`. Without it five seconds. */
  webhookTimeout?: string | number
  /** How requests for conferences are answered, as a mode (`immediate`) or as a whole policy, unless a seed says it. */
  conferences?: ConferenceMode | ConferencePolicy
  /** How many requests the journal of each world keeps, and at most 16 MB of them: 1,000 unless said, 0 for none. */
  journal?: number
  /**
   * Is called with a line for each request of any world as it is answered: time, world, account, method, address, status,
   * how long it took, and what there is of reason, fault and hints. Secrets are left out.
   */
  log?: (line: string) => void
}

type Kind = { expected: string; fits(value: unknown): boolean }

const text: Kind = { expected: 'a string', fits: (value) => typeof value === 'string' }
const flag: Kind = { expected: 'true or false', fits: (value) => typeof value === 'boolean' }
const instant: Kind = {
  expected: 'a Date, a number or a string',
  fits: (value) =>
    ['number', 'string'].includes(typeof value) || Object.prototype.toString.call(value) === '[object Date]',
}
const names: Kind = {
  expected: 'a list of strings',
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
}
const reach: Kind = { expected: '"loopback" or "any"', fits: (value) => value === 'loopback' || value === 'any' }
const certificates: Kind = { expected: 'certificates as PEM', fits: (value) => isCertificates(value) }
const timeout: Kind = { expected: 'a time-out such as 10s', fits: (value) => isTimeout(value) }
const idle: Kind = { expected: 'a duration of a millisecond or more such as 1h', fits: (value) => isIdle(value) }
const conferences: Kind = {
  expected: `one of ${CONFERENCE_MODES.join(', ')}, or a policy`,
  fits: (value) => CONFERENCE_MODES.some((mode) => mode === value) || conferencePolicy.safeParse(value).success,
}
const room: Kind = { expected: `a whole number from 0 to ${MAX_JOURNAL_SIZE}`, fits: (value) => isJournalSize(value) }
const action: Kind = { expected: 'a function that takes a line', fits: (value) => typeof value === 'function' }
/** What a seed holds is checked where it is planted, with its place. */
const seed: Kind = { expected: 'a seed', fits: () => true }

const OPTIONS: { [N in keyof FakeCalendarOptions]-?: Kind } = {
  seed,
  now: instant,
  strict: flag,
  anonymous: text,
  publicUrl: text,
  controlToken: text,
  controlHosts: names,
  worlds: names,
  worldIdle: idle,
  consent: flag,
  strictSurface: flag,
  webhooks: reach,
  webhookCa: certificates,
  webhookTimeout: timeout,
  conferences,
  journal: room,
  log: action,
}

/** Options as they were given. One that there is not, or of another type, is a TypeError. */
export function checkedOptions(options: FakeCalendarOptions): FakeCalendarOptions {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('createFakeCalendar takes an object of options')
  const kinds: Readonly<Record<string, Kind>> = OPTIONS
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) {
      const meant = nearest(name, Object.keys(kinds))
      throw new TypeError(
        `createFakeCalendar has no option ${JSON.stringify(name)}; did you mean ${JSON.stringify(meant)}?`,
      )
    }
    const { expected, fits } = kinds[name] ?? seed
    if (value !== undefined && !fits(value)) throw new TypeError(`createFakeCalendar: ${name} is ${expected}`)
  }
  return options
}
