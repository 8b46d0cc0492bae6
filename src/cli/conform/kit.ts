import {
  describeResponse,
  expectStatus,
  InconclusiveError,
  type ReceivedBody,
  type ReceivedResponse,
} from './expect.ts'
import { type HttpVerb, type RequestOptions, sendRequest, type Target } from './target.ts'

/** The summary of the calendars that a run creates, so that their purpose is visible. */
export const SUMMARY = 'fake-calendar conform'

const DAY_MS = 86_400_000
/** A Monday. Each scenario has its own week from here on, so that many can share a calendar. */
const FIRST_WEEK_MS = Date.UTC(2031, 0, 6)

/**
 * The helpers of a scenario. Paths are relative to `/calendar/v3`, or begin with `//` for another path of the host. Requests
 * are sent by the owner unless the options name another caller. All functions that send requests reject with an
 * InconclusiveError if the server cannot be reached or is busy, and with the reason of the signal if the run was stopped.
 */
export class Kit {
  readonly target: Target
  readonly #scenarioNumber: number
  readonly #getSharedCalendar: GetCalendar
  readonly #createdIds: Set<string>
  readonly #cleanUpTasks: (() => Promise<unknown>)[] = []

  constructor({ target, scenarioNumber, getSharedCalendar, createdIds }: KitOptions) {
    this.target = target
    this.#scenarioNumber = scenarioNumber
    this.#getSharedCalendar = getSharedCalendar
    this.#createdIds = createdIds
  }

  /** Sends a request, and resolves to its response of any status. `body` is sent as JSON, or unchanged if it is a string. */
  call = (verb: HttpVerb, path: string, body?: unknown, how?: RequestOptions): Promise<ReceivedResponse> =>
    sendRequest(this.target, verb, path, body, how)
  get = (path: string, query?: RequestOptions['query'], how?: RequestOptions): Promise<ReceivedResponse> =>
    this.call('GET', path, undefined, { ...how, ...(query && { query }) })
  post = (path: string, body?: unknown, how?: RequestOptions): Promise<ReceivedResponse> =>
    this.call('POST', path, body, how)
  put = (path: string, body: unknown, how?: RequestOptions): Promise<ReceivedResponse> =>
    this.call('PUT', path, body, how)
  patch = (path: string, body: unknown, how?: RequestOptions): Promise<ReceivedResponse> =>
    this.call('PATCH', path, body, how)
  delete = (path: string, how?: RequestOptions): Promise<ReceivedResponse> => this.call('DELETE', path, undefined, how)

  /** Returns the id of the calendar that the scenarios of a group share. It is created on first use. Its zone is UTC. */
  calendarId = (): Promise<string> => this.#getSharedCalendar('first')
  /** Returns the id of a second shared calendar. It is created on first use. */
  secondCalendarId = (): Promise<string> => this.#getSharedCalendar('second')
  /** Returns the path of the shared calendar's events. */
  eventsPath = async (): Promise<string> => `/calendars/${await this.calendarId()}/events`
  /** Returns the path of the shared calendar's access rules. */
  aclPath = async (): Promise<string> => `/calendars/${await this.calendarId()}/acl`

  /**
   * Creates a calendar for this scenario only, and returns its id. It is removed afterwards. Use it only where a shared
   * one does not suffice, because accounts can create few calendars per hour.
   */
  async createOwnCalendar(body: object = {}): Promise<string> {
    const id = await createRunCalendar(this.target, body, this.#createdIds)
    this.onCleanUp(() => removeRunCalendar(removeStopSignal(this.target), id, this.#createdIds))
    return id
  }

  /** Returns the body of a step that the statement depends on. Rejects with an InconclusiveError unless it is 2xx. */
  async require(answer: Promise<ReceivedResponse>): Promise<ReceivedBody> {
    const seen = await answer
    if (!isSuccess(seen)) throw new InconclusiveError(`${seen.request}: ${describeResponse(seen)}`)
    return seen.body
  }

  /**
   * Creates an event in the shared calendar, by default from 9 to 10 on the scenario's Monday. Returns it. Rejects with an
   * InconclusiveError if the server rejects it.
   */
  createEvent = async (body: object = {}, how?: RequestOptions): Promise<ReceivedBody> =>
    this.require(this.post(await this.eventsPath(), { ...this.hour(9), ...body }, how))

  /** Returns the date of a day of the scenario's week, such as `2031-01-06`: 0 is its Monday. */
  day = (day = 0): string =>
    new Date(FIRST_WEEK_MS + (this.#scenarioNumber * 7 + day) * DAY_MS).toISOString().slice(0, 10)
  /** Returns an hour (0 to 23) of such a day as an instant in UTC, such as `2031-01-06T09:00:00Z`. */
  instant = (hour: number, day = 0): string => `${this.day(day)}T${String(hour).padStart(2, '0')}:00:00Z`
  /** Returns `start` and `end` of an event that lasts an hour from `from` o'clock, in UTC. */
  hour = (from: number, day = 0) => ({
    start: { dateTime: this.instant(from, day), timeZone: 'UTC' },
    end: { dateTime: this.instant(from + 1, day), timeZone: 'UTC' },
  })
  /** Returns `start` and `end` of an event of whole days, of which `to` is the first that is not included. */
  allDay = (from = 0, to = from + 1) => ({ start: { date: this.day(from) }, end: { date: this.day(to) } })
  /** Returns `timeMin` and `timeMax` of a list of the whole week. */
  week = () => ({ timeMin: `${this.day(0)}T00:00:00Z`, timeMax: `${this.day(7)}T00:00:00Z` })

  /**
   * Returns an event id that no other scenario or run uses. It is the same at each call: `ending` (of `0` to `9` and `a` to
   * `v`) distinguishes the ids of a scenario.
   */
  unusedId = async (ending = ''): Promise<string> => {
    const calendar = (await this.calendarId()).replace(/@.*/, '').replace(/[^0-9a-v]/g, '')
    return `${calendar.slice(-20)}${String(this.#scenarioNumber).padStart(4, '0')}${ending}`
  }

  /**
   * Lists all pages of a path. Returns all items, the body of the last page, and the number of pages. Rejects with a
   * DifferenceError for a page other than 200, and with an InconclusiveError after a hundred pages.
   */
  async listAll(
    path: string,
    query: NonNullable<RequestOptions['query']> = {},
    options?: RequestOptions,
  ): Promise<{ items: ReceivedBody[]; last: ReceivedBody; pages: number }> {
    const items: ReceivedBody[] = []
    let pageToken: string | undefined
    for (let pages = 1; ; pages++) {
      const page = expectStatus(await this.get(path, { ...query, pageToken }, options), 200)
      items.push(...(page.items ?? []))
      pageToken = page.nextPageToken
      if (pageToken === undefined) return { items, last: page, pages }
      if (pages > 100) throw new InconclusiveError(`GET ${path}: more than a hundred pages`)
    }
  }

  /** Returns the address of the owner, which is the account of the first token: the id of its primary calendar. */
  ownerEmail = async (): Promise<string> => (await this.require(this.get('/calendars/primary'))).id
  /** Returns the address of the second account. Rejects with an InconclusiveError without one. */
  guestEmail = async (): Promise<string> => (await this.require(this.get('/calendars/primary', {}, { as: 'guest' }))).id

  /** Registers a task that runs after the scenario, regardless of its result. The last one registered runs first. */
  onCleanUp(task: () => Promise<unknown>): void {
    this.#cleanUpTasks.unshift(task)
  }

  /** Runs the registered tasks. Never rejects: a failure does not prevent the others. */
  async cleanUp(): Promise<void> {
    for (const task of this.#cleanUpTasks.splice(0)) await task().catch(() => {})
  }
}

/** Returns true for a status of 2xx. */
const isSuccess = ({ status }: ReceivedResponse): boolean => status >= 200 && status < 300

/** Returns the id of a shared calendar of a group, which is created on first use. */
export type GetCalendar = (which: 'first' | 'second') => Promise<string>

/** The parts of a run that a scenario needs. */
type KitOptions = {
  target: Target
  /** The position of the scenario among all, from 0. It selects the week of the scenario. */
  scenarioNumber: number
  getSharedCalendar: GetCalendar
  /** The ids of calendars of the run that are not removed yet. */
  createdIds: Set<string>
}

/**
 * Creates a calendar and adds its id to `createdIds`. Returns the id. Rejects with an InconclusiveError if the server rejects
 * it.
 */
export async function createRunCalendar(target: Target, body: object, createdIds: Set<string>): Promise<string> {
  const answer = await sendRequest(target, 'POST', '/calendars', { summary: SUMMARY, ...body })
  if (!isSuccess(answer) || typeof answer.body.id !== 'string')
    throw new InconclusiveError(`${answer.request}: ${describeResponse(answer)}`)
  createdIds.add(answer.body.id)
  return answer.body.id
}

/**
 * Removes a calendar that the run created. If it no longer exists, removes its id from `createdIds`. Rejects with an
 * InconclusiveError if the server cannot be reached or is busy.
 */
export async function removeRunCalendar(target: Target, id: string, createdIds: Set<string>): Promise<void> {
  const { status } = await sendRequest(target, 'DELETE', `/calendars/${id}`)
  if (status < 300 || status === 404 || status === 410) createdIds.delete(id)
}

/** Returns a copy of a target without its signal, for the cleanup, which continues after a run is interrupted. */
export const removeStopSignal = ({ stop: _, ...target }: Target): Target => target
