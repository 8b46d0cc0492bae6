import type { Settled } from '../effects/conferences.ts'
import type { Planted } from '../life/seed.ts'
import type { Snapshot } from '../life/snapshots.ts'
import type { ChannelView, Receiver } from '../push/notifications.ts'
import type { ICalendarOptions } from '../seeds/ical/reading.ts'
import type { Remark } from '../seeds/ical/report.ts'
import type { Which } from '../sync/expiry.ts'
import type { Fault, FaultHandle, FaultView } from '../testing/faults/faults.ts'
import type { QuotaLimits, QuotaState } from '../testing/quota.ts'
import type { ClockMode, ClockState, Fired } from '../time/clock.ts'
import type {
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
} from '../wire/conferencePolicy.ts'
import type { Mail } from '../wire/mail.ts'
import type { OAuthCue, OAuthSeed } from '../wire/seeds/oauth.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import type { Grant } from '../world/credentials.ts'
import type { FakeCalls } from './calls.ts'
import type { FakeHistory } from './history.ts'
import type { FakeNotifications } from './notifications.ts'

/** An instant, as a Date, as milliseconds since the epoch, or as text such as `2026-03-02T09:00:00Z`. */
export type Instant = Date | string | number

/**
 * A world's time: `real` follows the machine, `set` runs from an instant that it was set to, `frozen` stands still.
 * Whatever moves it returns what fell due on the way.
 */
export interface Clock {
  readonly mode: ClockMode
  /** Milliseconds since the epoch, as the world sees them. */
  now(): number
  state(): ClockState
  /** Stands still, at this moment or at the instant given. */
  freeze(instant?: Instant): Fired[]
  /** Shows another instant: a frozen clock stays frozen, a running one runs on from there. */
  set(instant: Instant): Fired[]
  /** Runs on from the instant that it shows, or from the one given. */
  run(instant?: Instant): Fired[]
  /** Follows the machine again. */
  real(): Fired[]
  /** Moves on by a duration: a number of milliseconds, or text such as `90s`, `1h30m`, `2d`. */
  advance(duration: string | number): Fired[]
  /** Moves on to an instant. An earlier one throws a RangeError. */
  advanceTo(instant: Instant): Fired[]
}

/** How a world answers requests for conferences: by default each is pending in the write's own answer, and succeeds with the world's next request. */
export interface Conferences {
  /** The policy, the rules that go before it, and the requests that are still open. */
  state(): ConferenceState
  /** How requests are answered from here on. What is not given stays; what cannot be throws a RangeError. */
  policy(policy: ConferencePolicy): void
  /** The same for the request with an id, those of an event, or so many times the next one. */
  expect(rule: ConferenceRule): void
  /** Answers open requests now: the one named, those of an event, or all. One that is named and not open throws a RangeError. */
  settle(which?: ConferenceSettlement): Settled[]
}

/** What a world knows of OAuth: what a seed says of it, and the tokens that are out. */
export type OAuthState = OAuthSeed & { tokens: Grant[] }

/** What a token is minted for. */
export type Minted = {
  account: string
  scopes?: string[] | undefined
  /** How long it is good: milliseconds, or text such as `10m`. */
  life?: string | number | undefined
  /** The client that it is given to. */
  client?: string | undefined
}

/** Who has signed in to a world, and how signing in fails. */
export interface OAuth {
  /** Clients, grants and tokens, and the failures that are cued. */
  state(): OAuthState
  /** Cues a failure: once, or as often as `times` says. */
  fail(cue: OAuthCue): void
  /** Forgets the failures that are cued. */
  forget(): void
  /**
   * A new access token of an account: for all scopes, unless some are named, and good for an hour, or as long as `life`
   * says, on the world's clock. Good in strict mode too, and as it is handed out it names its world.
   */
  mint(token: Minted): string
  /** Lets every access token expire, those of one account, or one; returns how many there were. */
  expire(accountOrToken?: string): number
  /** Takes back every token and consent, those of one account, or a token and all that its client may do; returns how many there were. */
  revoke(accountOrToken?: string): number
}

/** What fails on cue in a world. */
export interface Faults {
  /**
   * Adds a fault: the first that fires, in the order in which they were added, is what happens to a request. What cannot
   * be, as a method that there is not, throws a RangeError that names the field and the nearest that there is.
   */
  add(fault: Fault): FaultHandle
  list(): FaultView[]
  /** Takes one away, as its handle does; an id that there is not throws a RangeError. */
  remove(id: string): void
  /** Takes all away; returns how many there were. */
  clear(): number
  /** Throws an Error that names each fault that did not fire as often as it was to, unless it is `optional`, or by chance. */
  verify(): void
}

/** How much may be asked in a minute of the world's clock: of all, and of each user. `null` lifts every limit. */
export interface Quota {
  (limits: QuotaLimits | null): void
  /** The limits, and what was asked in this minute. */
  state(): QuotaState
}

/** Which sync tokens, and after how many uses. */
export type SyncTokenChoice = Which & { afterUses?: number | null | undefined }

export interface SyncTokens {
  /**
   * Makes sync tokens answer 410: every one handed out so far, or those of an account, a calendar (`primary` is each
   * account's own) or a collection. With `afterUses` each is good so many times, those that come later included, until
   * `null` ends it. The pages of one list are one use.
   */
  expire(which?: SyncTokenChoice): void
}

/** What a test author may do to a world that no client of the real service can: all that the routes under `/_control` do. */
export interface Control extends FakeHistory {
  /** That it answers, and which world this is. */
  health(): { status: 'ok'; world: string }
  /** Back to what the world started from; sync tokens of before answer 410. */
  reset(): Planted
  /** Adds to the world. A seed that is refused throws a SeedError and changes nothing. */
  seed(seed: Seed): Planted
  /** Makes the world what a seed says, and that what `reset` goes back to. */
  replace(seed: Seed): Planted
  /** A seed that restores exactly this world. */
  state(): Seed
  readonly syncTokens: SyncTokens
  /** The names of all worlds that there are. */
  worlds(): string[]
  /** Deletes this world; it begins anew when it is next used. */
  delete(): void
  /** Deletes the world of a name. Where there is none it throws a RangeError. */
  deleteWorld(name: string): void
  /**
   * Keeps this moment: under a name, in place of a snapshot that has it, or without one for as long as the handle lives.
   * The handle may be sent as JSON where it has a name.
   */
  snapshot(name?: string): Snapshot
  /**
   * Takes this world back to a snapshot of it, by handle or name; returns it. Sync tokens from before it are good again,
   * those since answer 410; no revision, etag or id since then comes again. One that there is not throws a RangeError.
   */
  restore(which: string | Snapshot): Snapshot
  /** The snapshots that have a name, the latest last. */
  snapshots(): Snapshot[]
  /** Lets go of a snapshot; returns it. One that there is not throws a RangeError. */
  deleteSnapshot(which: string | Snapshot): Snapshot
  /**
   * Begins the world of a name, in place of one that there is, with a snapshot: of this world by its name, of any by its
   * handle. Worlds share what they have not changed. Throws a RangeError where there is no such snapshot, or no such world
   * may be.
   */
  fork(from: string | Snapshot, world: string): FakeWorld
  readonly clock: Clock
  /** Moves the clock on, and waits at each thing that falls due for the messages that it sends; returns what fired. */
  advance(duration: string | number): Promise<Fired[]>
  /** The same up to an instant. An earlier one throws a RangeError. */
  advanceTo(instant: Instant): Promise<Fired[]>
  readonly conferences: Conferences
  /** The mails that the service would have sent, the latest last; those to one address where it is given. */
  mail(to?: string): Mail[]
  /** Empties the outbox; returns how many mails were in it. */
  clearMail(): number
  /** The channels of watches, those that have ended among them. */
  channels(): ChannelView[]
  readonly notifications: FakeNotifications
  readonly oauth: OAuth
  readonly calls: FakeCalls
  readonly faults: Faults
  readonly quota: Quota
  /** Where a calendar is found as a file of iCalendar, as paths. One that there is not throws a RangeError. */
  ical(calendarId: string): { public: string; private: string }
  /**
   * Adds the events of an iCalendar file to a calendar: `calendar` is `primary`, a name or an id; without it, a new calendar
   * is made. Rejects with a RangeError for text that is not iCalendar.
   */
  importICalendar(text: string, options?: ICalendarOptions): Promise<ImportedCalendar>
}

/** The result of an import: the calendar, how many events were added, and what was left out or changed. */
export type ImportedCalendar = { calendarId: string; added: number; report: Remark[] }

/** One isolated world: requests, its clock, and its data. */
export interface FakeWorld extends Control {
  readonly name: string
  /**
   * Answers a request as the service would, without a socket, and is a fetch otherwise: it may be given to a client in
   * place of one. Bodies come decoded, and an aborted signal rejects.
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** The same by path: `request('/calendar/v3/users/me/calendarList', { headers })`. */
  request(path: string, init?: RequestInit): Promise<Response>
  /**
   * Calls a receiver in the process with every push message, in place of a socket: it may return the code to answer
   * with, or a promise of it; else the message counts as delivered. Returns what takes the receiver away.
   */
  onNotification(receiver: Receiver): () => void
  /**
   * Runs something in this world: what it and all that it starts send to the service's hosts is answered here, where
   * `fake-calendar/intercept` is at work. Returns what it returns.
   */
  run<T>(act: () => T): T
  /**
   * Where the inspector shows this world: an address for a browser on this machine. A fake that does not listen yet does
   * so from here on, on any free port, until it is closed. Behind a `publicUrl` it is below that.
   */
  ui(): Promise<string>
}
