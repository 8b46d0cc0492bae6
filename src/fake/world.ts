import type { Planted } from '../life/seed.ts'
import type { Settled } from '../meetings/conferenceRequests.ts'
import type { ChannelView, Receiver } from '../push/notifications.ts'
import type { ClockMode, ClockState, Fired } from '../store/clock.ts'
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

/** Who has signed in to a world, and how signing in fails. */
export interface OAuth {
  /** Clients, grants and tokens, and the failures that are cued. */
  state(): OAuthState
  /** Cues a failure: once, or as often as `times` says. */
  fail(cue: OAuthCue): void
  /** Forgets the failures that are cued. */
  forget(): void
  /** Takes back every token and consent, or those of one account; returns how many there were. */
  revoke(account?: string): number
}

export interface SyncTokens {
  /** Makes every sync token handed out so far answer 410. */
  expire(): void
}

/** What a test author may do to a world that no client of the real service can: all that the routes under `/_control` do. */
export interface Control {
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
  /** Where a calendar is found as a file of iCalendar, as paths. One that there is not throws a RangeError. */
  ical(calendarId: string): { public: string; private: string }
}

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
}
