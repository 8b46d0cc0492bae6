import type { Settled } from '../../effects/conferences.ts'
import type { ChannelView, Receiver } from '../../effects/push/notifications.ts'
import type { McpTransport } from '../../mcp/transport.ts'
import type { ClockMode, ClockState, Fired } from '../../model/clock.ts'
import type { Grant } from '../../model/credentials.ts'
import type {
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
} from '../../schema/conferencePolicy.ts'
import type { OAuthFailure, OAuthSeed } from '../../schema/oauth.ts'
import type { SeedCounts } from '../../seeds/applySeed.ts'
import type { ICalendarOptions } from '../../seeds/ical/readICalendar.ts'
import type { Remark } from '../../seeds/ical/remarks.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import type { TokenFilter } from '../../sync/tokens.ts'
import type { Fault, FaultHandle, FaultView } from '../faults/faults.ts'
import type { Change } from '../history/change.ts'
import type { ChangeFilter, HistoricChange } from '../history/changes.ts'
import type { Diff, DiffOptions, History } from '../history/diff.ts'
import type { RecordedCall } from '../journal/recordedCall.ts'
import type { ExpectedCall, RecordedCalls } from '../journal/search.ts'
import type { ExpectedCount } from '../matching.ts'
import type { QuotaLimits, QuotaState } from '../quota.ts'
import type { MethodPattern } from '../request.ts'
import type { WorldResult } from '../worldResult.ts'
import type { Snapshot } from '../worlds/snapshots.ts'
import type { FakeAttempts } from './attempts.ts'
import type { FakeMail, FakeNotifications, WaitOptions } from './messages.ts'

/** An instant, as a Date, as milliseconds since the epoch, or as text such as `2026-03-02T09:00:00Z`. */
export type Instant = Date | string | number

/**
 * The clock of a world: `real` follows the machine, `set` runs from the instant it was set to, `frozen` stands still.
 * Functions that move it return the tasks that were due.
 */
export interface FakeClock {
  readonly mode: ClockMode
  /** Returns the time of the world in milliseconds since the epoch. */
  now(): number
  state(): ClockState
  /** Freezes the clock at the current time or at an instant. */
  freeze(instant?: Instant): Fired[]
  /** Sets the time. A frozen clock stays frozen; a running one continues from there. */
  set(instant: Instant): Fired[]
  /** Lets the clock run from the current time or from an instant. */
  run(instant?: Instant): Fired[]
  /** Follows the machine's clock again. */
  real(): Fired[]
  /** Advances the clock by a number of milliseconds, or text such as `90s`, `1h30m`, `2d`. */
  advance(duration: string | number): Fired[]
  /** Advances the clock to an instant. Throws a RangeError for an earlier one. */
  advanceTo(instant: Instant): Fired[]
}

/**
 * The policy for conference requests. By default a request is pending in the response of its write, and succeeds with
 * the world's next request.
 */
export interface FakeConferences {
  /** Returns the policy, the rules that take precedence, and the open requests. */
  state(): ConferenceState
  /** Changes the policy. Fields that are left out keep their values. Throws a RangeError for an invalid value. */
  policy(policy: ConferencePolicy): void
  /** Adds a rule for one request by id, for those of an event, or for the next `times` requests. */
  expect(rule: ConferenceRule): void
  /**
   * Answers open requests now: one by id, those of an event, or all. Throws a RangeError if the named request is not
   * open.
   */
  settle(which?: ConferenceSettlement): Settled[]
}

/** The OAuth data of a world: that of a seed, and the issued tokens. */
export type OAuthState = OAuthSeed & { tokens: Grant[] }

/** The options of a new access token. */
export type MintOptions = {
  account: string
  scopes?: string[] | undefined
  /** The lifetime: milliseconds, or text such as `10m`. The default is an hour. */
  life?: string | number | undefined
  /** The client that it is issued to. */
  client?: string | undefined
}

/** The OAuth controls of a world. */
export interface FakeOAuth {
  /** Returns clients, grants, tokens and scripted failures. */
  state(): OAuthState
  /**
   * Lets the next consent, or the next `times`, be `denied` or give `noRefreshToken`. Errors of the token endpoint are
   * faults: `fake.faults.add({ on: 'oauth.token', do: { fail: 'oauthRevoked' } })`.
   */
  fail(failure: OAuthFailure): void
  /** Removes the scripted failures. */
  forget(): void
  /**
   * Returns a new access token of an account: for all scopes unless some are given, valid for an hour or for `life`
   * by the world's clock. It is valid in strict mode too, and contains the name of its world.
   */
  mint(token: MintOptions): string
  /** Expires all access tokens, those of an account, or one. Returns their number. */
  expire(accountOrToken?: string): number
  /**
   * Revokes all tokens and consents, those of an account, or those of the client of a token, and returns their number.
   * Tokens that the world never issued are revoked too, until the account consents again or `consent` is called.
   */
  revoke(accountOrToken?: string): number
  /**
   * Lets an account, or all, consent again after a revocation. Tokens that the world did not issue are valid again; its
   * own stay revoked.
   */
  consent(account?: string): void
}

/** The faults of a world. */
export interface FakeFaults {
  /**
   * Adds a fault. If several match a request, the one added first applies. Throws a RangeError that names the wrong
   * field, and the nearest valid value.
   */
  add(fault: Fault): FaultHandle
  list(): FaultView[]
  /** Removes a fault by id. Throws a RangeError for an unknown id. */
  remove(id: string): void
  /** Removes all faults and returns their number. */
  clear(): number
  /**
   * Throws a VerificationError that names each fault that fired less often than planned, except optional ones and
   * those with a `probability`.
   */
  verify(): void
}

/**
 * The request quota of any minute of the world's clock, for all users together and for each. `google` sets the limits of
 * the service: 600 units a minute of a user, 10,000 of all, and 5,000 calls of MCP tools a day.
 */
export interface FakeQuota {
  (limits: QuotaLimits | 'google'): void
  /** Returns the limits and the units spent in the last minute. */
  state(): QuotaState
  /** Removes the limits. */
  remove(): void
}

/** A selection of sync tokens, and the number of uses after which they expire. */
export type SyncTokenChoice = TokenFilter & { afterUses?: number | null | undefined }

export interface FakeSyncTokens {
  /**
   * Expires sync tokens: all that were issued so far, or those of an account, a calendar (`primary` is each account's
   * own) or a collection. With `afterUses` each is valid so many times, later ones included, until it is called with
   * `null`. The pages of one list are one use.
   */
  expire(which?: SyncTokenChoice): void
}

/** At most `maxResults` entries of a list, after the page with this `nextPageToken`. */
export type PageOptions = { maxResults?: number | undefined; pageToken?: string | undefined }

/** The names of worlds. `nextPageToken` is undefined on the last page. */
export type WorldNames = string[] & { readonly nextPageToken: string | undefined }

export interface FakeWorlds {
  /** Returns the names of all worlds in the order of their creation, or one page of them. */
  (page?: PageOptions): WorldNames
  /**
   * Sets the result of an attempt of an agent in a world, which the inspector shows. A reset removes it. Throws a RangeError
   * for an unknown world or a wrong field.
   */
  setResult(world: string, result: WorldResult): void
  /**
   * Renames a world, which keeps everything in it. Addresses, tokens and handles with the former name no longer reach it. Throws
   * a RangeError for an unknown world, and for a name that another world has, is not allowed or invalid.
   */
  rename(world: string, to: string): void
}

/** The control operations of a world. The routes below `/_control` do the same; the real service has none of them. */
export interface Control extends FakeHistory {
  /** Returns the name of the world. */
  health(): { status: 'ok'; world: string }
  /** Returns to the initial state. Earlier sync tokens are answered with 410. */
  reset(): SeedCounts
  /** Adds a seed to the world. Throws a SeedError for an invalid seed, which changes nothing. */
  seed(seed: Seed): SeedCounts
  /** Replaces the world with a seed, which also becomes the initial state for `reset`. */
  replace(seed: Seed): SeedCounts
  /** Returns a seed that restores exactly this world. */
  state(): Seed
  /**
   * Prints the time and the events of the world on stdout, by calendar and day in the zone of the owner, and returns the
   * text.
   */
  print(): string
  readonly syncTokens: FakeSyncTokens
  readonly worlds: FakeWorlds
  /** Deletes this world. It is created again when it is next used. */
  delete(): void
  /** Deletes a world by name. Throws a RangeError if there is none. */
  deleteWorld(name: string): void
  /**
   * Takes a snapshot. With a name it replaces the snapshot of that name; without one it exists as long as the handle.
   * A handle with a name can be sent as JSON.
   */
  snapshot(name?: string): Snapshot
  /**
   * Restores a snapshot of this world by handle or name, and returns it. Sync tokens from before it are valid again;
   * later ones are answered with 410. No revision, etag or id since then is reused. Throws a RangeError for an
   * unknown snapshot.
   */
  restore(which: string | Snapshot): Snapshot
  /** Returns the snapshots with a name, the latest last. */
  snapshots(): Snapshot[]
  /** Deletes a snapshot and returns it. Throws a RangeError for an unknown one. */
  deleteSnapshot(which: string | Snapshot): Snapshot
  /**
   * Creates or replaces a world with a snapshot: of this world by name, of any world by handle. Worlds share
   * unchanged data. Throws a RangeError for an unknown snapshot, and for a world that is not allowed.
   */
  fork(from: string | Snapshot, world: string): FakeWorld
  readonly clock: FakeClock
  /** Advances the clock, and waits after each due task for the messages that it sends. Returns the tasks. */
  advance(duration: string | number): Promise<Fired[]>
  /** Advances the clock to an instant in the same way. Rejects with a RangeError for an earlier one. */
  advanceTo(instant: Instant): Promise<Fired[]>
  readonly conferences: FakeConferences
  readonly mail: FakeMail
  /** Removes all mails and returns their number. */
  clearMail(): number
  /** Returns all channels, including those that have ended. */
  channels(): ChannelView[]
  readonly notifications: FakeNotifications
  readonly oauth: FakeOAuth
  readonly calls: FakeCalls
  readonly attempts: FakeAttempts
  readonly faults: FakeFaults
  readonly quota: FakeQuota
  /** Returns the paths of a calendar as an iCalendar file. Throws a RangeError for an unknown calendar. */
  ical(calendarId: string): { public: string; private: string }
  /**
   * Adds the events of an iCalendar file to a calendar: `calendar` is `primary`, a name or an id; without it, a new calendar
   * is made. Bytes are UTF-8, UTF-16 or windows-1252. Rejects with a RangeError for what is not iCalendar.
   */
  importICalendar(file: string | Uint8Array, options?: ICalendarOptions): Promise<ImportedCalendar>
}

/** The result of an import: the calendar, how many events were added, and what was left out or changed. */
export type ImportedCalendar = { calendarId: string; added: number; report: Remark[] }

/** One isolated world: requests, its clock, and its data. */
export interface FakeWorld extends Control {
  readonly name: string
  /**
   * Answers a request without a socket, with the interface of fetch, so that it can replace the fetch of a client.
   * Bodies are decoded, and an aborted signal rejects.
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Calls `fetch` with a path: `request('/calendar/v3/users/me/calendarList', { headers })`. */
  request(path: string, init?: RequestInit): Promise<Response>
  /**
   * Resolves to a transport for a client of the MCP SDK, connected to the MCP server of this world without a socket:
   * `await client.connect(await fake.mcp({ as: 'alice@example.com' }))`. `as` is the token of the client.
   */
  mcp(options: { as: string }): Promise<McpTransport>
  /**
   * Calls a receiver in the process with every push message, instead of a socket. It may return the status to answer
   * with, or a promise of it; without one the message counts as delivered. Returns the function that removes the
   * receiver.
   */
  onNotification(receiver: Receiver): () => void
  /**
   * Calls a function in this world and returns its result. Requests to the service's hosts from the function, and
   * from all that it starts, go to this world if `fake-calendar/intercept` is active.
   */
  run<T>(act: () => T): T
  /**
   * Returns the inspector's URL of this world. A fake that does not listen yet starts to listen on any free port.
   * With a `publicUrl` it is below that.
   */
  ui(): Promise<string>
}

/** A filter of calls beside their method. `primary` equals the address of the account. */
export type CallSelector = {
  account?: string | undefined
  calendarId?: string | undefined
  where?: ExpectedCall | undefined
}

/**
 * The journal of a world: all requests, including parts of batches and OAuth, but no control operations. A method is
 * one (`events.insert`), those of a resource (`events.*`), all (`*`), or a list of these. An unknown method throws a
 * RangeError, and so does a journal that is off.
 */
export interface FakeCalls {
  /** Returns the calls of a method, or all. Calls of tools of MCP have no `toolCall`; the requests of REST beneath them
   * have its number. Batches, discovery and other messages of MCP are included only by name: `batch`, `mcp`. */
  (method?: MethodPattern, which?: CallSelector): RecordedCalls
  /**
   * Waits until there are so many calls, earlier ones included, and returns them. Rejects after `timeout` in real
   * time; the default is five seconds.
   */
  until(method: MethodPattern, count: number, which?: CallSelector & WaitOptions): Promise<RecordedCall[]>
  /** Removes all calls and returns their number. Numbering continues. */
  clear(): number
  /**
   * Throws a VerificationError unless there were calls as expected: at least one, or as many as `times` requires (0
   * is valid). Returns them. The error contains the closest call and its differences.
   */
  verify(
    method: MethodPattern,
    expected?: ExpectedCall,
    options?: Omit<CallSelector, 'where'> & { times?: ExpectedCount | undefined },
  ): RecordedCall[]
}

export type { Change, ChangeFilter, DiffOptions, HistoricChange, History }

/**
 * A moment of a world: a revision, an instant as a Date or as text with an offset, a snapshot by handle or name, or
 * another world in its present state.
 */
export type Moment = number | string | Date | object

/**
 * A filter of writes: after a revision, or at an instant and later. `all` includes writes that changed only etags and
 * the like.
 */
export type ChangesQuery = ChangeFilter & { since?: number | string | undefined; all?: boolean | undefined }

/** The changes of a world. An unknown moment throws a RangeError. */
export interface FakeHistory {
  /**
   * Returns the changes from one moment to another. The defaults are the initial state (or the last reset) and now.
   * Each record occurs once, with its old and new fields.
   */
  diff(options?: DiffOptions): Diff
  diff(before?: Moment, options?: DiffOptions): Diff
  diff(before: Moment, after: Moment, options?: DiffOptions): Diff
  /**
   * Returns the writes, the oldest first. The last 10,000 are kept; `dropped` counts the others. Throws a RangeError
   * if `since` is before a dropped write.
   */
  changes(which?: ChangesQuery & { wait?: undefined }): History
  /**
   * Waits for at least one write in real time: milliseconds, or text such as `5s`, at most a minute. On timeout the
   * list is empty.
   */
  changes(which: ChangesQuery & { wait?: string | number | undefined }): Promise<History>
}
