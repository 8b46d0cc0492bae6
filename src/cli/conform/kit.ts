import { describeResponse, expectStatus, Inconclusive, type ReceivedBody, type ReceivedResponse } from './expect.ts'
import { type RequestOptions, sendRequest, type Target, type Verb } from './target.ts'

/** How the calendars are called that a run makes, so that whoever meets one knows what it is. */
export const SUMMARY = 'fake-calendar conform'

const DAY = 86_400_000
/** A Monday; each scenario has a week of its own from there on, so that many share a calendar. */
const FIRST_WEEK = Date.UTC(2031, 0, 6)

/** What a scenario is written with. Paths stand below `/calendar/v3`. */
export class Kit {
  readonly target: Target
  /** The number of the scenario among all. */
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

  call = (verb: Verb, path: string, body?: unknown, how?: RequestOptions): Promise<ReceivedResponse> =>
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

  /** The calendar that the scenarios of a group share: its id. Its zone is UTC. */
  calendar = (): Promise<string> => this.#shared('first')
  /** A second one that they share. */
  secondCalendar = (): Promise<string> => this.#shared('second')
  /** The path of the shared calendar's events. */
  events = async (): Promise<string> => `/calendars/${await this.calendar()}/events`

  /**
   * A calendar for this scenario alone: its id. It is removed afterwards. An account may make few in an hour, so this is for what
   * a shared one cannot show.
   */
  async ownCalendar(body: object = {}): Promise<string> {
    const id = await makeCalendar(this.target, body, this.#made)
    this.onCleanUp(() => removeCalendar(withoutStop(this.target), id, this.#made))
    return id
  }

  /** A step that a statement rests on, and that is not what is stated: any success will do. */
  async require(answer: Promise<ReceivedResponse>): Promise<ReceivedBody> {
    const seen = await answer
    if (!isSuccess(seen)) throw new Inconclusive(`${seen.request}: ${describeResponse(seen)}`)
    return seen.body
  }

  /** An event of the shared calendar that is there: an hour of the scenario's own week unless its times are given. */
  event = async (body: object = {}, how?: RequestOptions): Promise<ReceivedBody> =>
    this.require(this.post(await this.events(), { ...this.hour(9), ...body }, how))

  /** A day of the scenario's own week: 0 is its Monday. */
  day = (day = 0): string => new Date(FIRST_WEEK + (this.#place * 7 + day) * DAY).toISOString().slice(0, 10)
  instant = (hour: number, day = 0): string => `${this.day(day)}T${String(hour).padStart(2, '0')}:00:00Z`
  /** An hour of one of its days, in UTC. */
  hour = (from: number, day = 0) => ({
    start: { dateTime: this.instant(from, day), timeZone: 'UTC' },
    end: { dateTime: this.instant(from + 1, day), timeZone: 'UTC' },
  })
  allDay = (from = 0, to = from + 1) => ({ start: { date: this.day(from) }, end: { date: this.day(to) } })
  /** Its whole week, as the query of a list. */
  week = () => ({ timeMin: `${this.day(0)}T00:00:00Z`, timeMax: `${this.day(7)}T00:00:00Z` })

  /** An id that nobody has used: of digits and letters up to v. */
  id = async (ending = ''): Promise<string> => {
    const calendar = (await this.calendar()).replace(/@.*/, '').replace(/[^0-9a-v]/g, '')
    return `${calendar.slice(-20)}${String(this.#place).padStart(4, '0')}${ending}`
  }

  /** The list of a path to its end: all items, and the last page. */
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
      if (pages > 100) throw new Inconclusive(`GET ${path}: more than a hundred pages`)
    }
  }

  /** Whose the tokens are: the addresses of their primary calendars. */
  ownerEmail = async (): Promise<string> => (await this.require(this.get('/calendars/primary'))).id
  guestEmail = async (): Promise<string> => (await this.require(this.get('/calendars/primary', {}, { as: 'guest' }))).id

  /** Done when the scenario is over, however it ends; the latest first. */
  onCleanUp(task: () => Promise<unknown>): void {
    this.#afterwards.unshift(task)
  }

  /** Does what is to be done afterwards; what fails of it does not keep the rest from being done. */
  async cleanUp(): Promise<void> {
    for (const task of this.#afterwards.splice(0)) await task().catch(() => {})
  }
}

const isSuccess = ({ status }: ReceivedResponse): boolean => status >= 200 && status < 300

/** The calendars of a group, which are made when they are first asked for. */
export type GetCalendar = (which: 'first' | 'second') => Promise<string>

type KitOptions = {
  target: Target
  place: number
  shared: GetCalendar
  made: Set<string>
}

/** Makes a calendar, and notes it among those that are to be removed. */
export async function makeCalendar(target: Target, body: object, made: Set<string>): Promise<string> {
  const answer = await sendRequest(target, 'POST', '/calendars', { summary: SUMMARY, ...body })
  if (!isSuccess(answer) || typeof answer.body.id !== 'string')
    throw new Inconclusive(`${answer.request}: ${describeResponse(answer)}`)
  made.add(answer.body.id)
  return answer.body.id
}

/** Removes a calendar of ours; one that is gone already is good as well. */
export async function removeCalendar(target: Target, id: string, made: Set<string>): Promise<void> {
  const { status } = await sendRequest(target, 'DELETE', `/calendars/${id}`)
  if (status < 300 || status === 404 || status === 410) made.delete(id)
}

/** What is tidied up goes on when a run is ended. */
export const withoutStop = ({ stop: _, ...target }: Target): Target => target
