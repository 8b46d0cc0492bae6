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

const DAY = 86_400_000
/** A Monday. Each scenario has its own week from here on, so that many can share a calendar. */
const FIRST_WEEK = Date.UTC(2031, 0, 6)

/** The helpers of a scenario. Paths are relative to `/calendar/v3`. */
export class Kit {
  readonly target: Target
  /** The number of the scenario. */
  readonly #place: number
  readonly #shared: GetCalendar
  readonly #made: Set<string>
  readonly #afterwards: (() => Promise<unknown>)[] = []

  constructor({ target, place, shared, made }: KitOptions) {
    this.target = target
    this.#place = place
    this.#shared = shared
    this.#made = made
  }

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

  /** Returns the id of the calendar that the scenarios of a group share. Its zone is UTC. */
  calendar = (): Promise<string> => this.#shared('first')
  /** Returns the id of a second shared calendar. */
  secondCalendar = (): Promise<string> => this.#shared('second')
  /** Returns the path of the shared calendar's events. */
  events = async (): Promise<string> => `/calendars/${await this.calendar()}/events`

  /**
   * Creates a calendar for this scenario only, and returns its id. It is removed afterwards. Use it only where a shared
   * one does not suffice, because accounts can create few calendars per hour.
   */
  async ownCalendar(body: object = {}): Promise<string> {
    const id = await makeCalendar(this.target, body, this.#made)
    this.onCleanUp(() => removeCalendar(withoutStop(this.target), id, this.#made))
    return id
  }

  /** Requires the success of a step that the statement depends on. Throws an Inconclusive otherwise. */
  async require(answer: Promise<ReceivedResponse>): Promise<ReceivedBody> {
    const seen = await answer
    if (!isSuccess(seen)) throw new InconclusiveError(`${seen.request}: ${describeResponse(seen)}`)
    return seen.body
  }

  /** Creates an event in the shared calendar. By default, it lasts an hour in the scenario's week. */
  event = async (body: object = {}, how?: RequestOptions): Promise<ReceivedBody> =>
    this.require(this.post(await this.events(), { ...this.hour(9), ...body }, how))

  /** Returns a day of the scenario's week: 0 is its Monday. */
  day = (day = 0): string => new Date(FIRST_WEEK + (this.#place * 7 + day) * DAY).toISOString().slice(0, 10)
  instant = (hour: number, day = 0): string => `${this.day(day)}T${String(hour).padStart(2, '0')}:00:00Z`
  /** Returns the start and end of an hour of a day, in UTC. */
  hour = (from: number, day = 0) => ({
    start: { dateTime: this.instant(from, day), timeZone: 'UTC' },
    end: { dateTime: this.instant(from + 1, day), timeZone: 'UTC' },
  })
  allDay = (from = 0, to = from + 1) => ({ start: { date: this.day(from) }, end: { date: this.day(to) } })
  /** Returns the query for a list of the whole week. */
  week = () => ({ timeMin: `${this.day(0)}T00:00:00Z`, timeMax: `${this.day(7)}T00:00:00Z` })

  /** Returns an unused event id. */
  id = async (ending = ''): Promise<string> => {
    const calendar = (await this.calendar()).replace(/@.*/, '').replace(/[^0-9a-v]/g, '')
    return `${calendar.slice(-20)}${String(this.#place).padStart(4, '0')}${ending}`
  }

  /** Lists all pages of a path. Returns all items and the last page. */
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

  /** Returns the address of the owner: the id of its primary calendar. */
  ownerEmail = async (): Promise<string> => (await this.require(this.get('/calendars/primary'))).id
  guestEmail = async (): Promise<string> => (await this.require(this.get('/calendars/primary', {}, { as: 'guest' }))).id

  /** Registers a task that runs after the scenario, regardless of its result. The last one registered runs first. */
  onCleanUp(task: () => Promise<unknown>): void {
    this.#afterwards.unshift(task)
  }

  /** Runs the registered tasks. A failure does not prevent the others. */
  async cleanUp(): Promise<void> {
    for (const task of this.#afterwards.splice(0)) await task().catch(() => {})
  }
}

const isSuccess = ({ status }: ReceivedResponse): boolean => status >= 200 && status < 300

/** Returns the shared calendars of a group. They are created on first use. */
export type GetCalendar = (which: 'first' | 'second') => Promise<string>

type KitOptions = {
  target: Target
  place: number
  shared: GetCalendar
  made: Set<string>
}

/** Creates a calendar and records it for removal. */
export async function makeCalendar(target: Target, body: object, made: Set<string>): Promise<string> {
  const answer = await sendRequest(target, 'POST', '/calendars', { summary: SUMMARY, ...body })
  if (!isSuccess(answer) || typeof answer.body.id !== 'string')
    throw new InconclusiveError(`${answer.request}: ${describeResponse(answer)}`)
  made.add(answer.body.id)
  return answer.body.id
}

/** Removes a calendar that the run created. A missing one is not an error. */
export async function removeCalendar(target: Target, id: string, made: Set<string>): Promise<void> {
  const { status } = await sendRequest(target, 'DELETE', `/calendars/${id}`)
  if (status < 300 || status === 404 || status === 410) made.delete(id)
}

/** Cleanup continues after a run is interrupted. */
export const withoutStop = ({ stop: _, ...target }: Target): Target => target
