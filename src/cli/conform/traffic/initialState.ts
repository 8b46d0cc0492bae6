import { isPublicCalendar } from '../../../api/calendars/publicCalendars.ts'
import { EVENT_FIELDS } from '../../../model/events/fields.ts'
import type { Seed, SeedAccount, SeedCalendar, SeedEvent } from '../../../seeds/schema/seed.ts'
import { isObject } from '../matchers.ts'
import { parseJson } from './formats.ts'
import { at, listAt, textAt } from './recording.ts'
import type { RecordedRequest } from './requests.ts'
import { completeSeries } from './series.ts'
import { type ZonedTime, zoneOfTimes } from './zones.ts'

type Fields = Readonly<Record<string, unknown>>

/** The owner of a calendar if a recording does not name one. */
const UNKNOWN_ACCOUNT = 'somebody@example.com'

/** The data owner of a calendar if a recording does not name one. */
const UNKNOWN_OWNER = 'data-owner@example.com'

/** The fields of a list entry itself; its other fields belong to the calendar. */
const ENTRY = ['summaryOverride', 'colorId', 'backgroundColor', 'foregroundColor', 'hidden', 'selected'] as const
const LISTED = [...ENTRY, 'defaultReminders', 'notificationSettings'] as const
const CALENDAR = ['summary', 'description', 'location', 'timeZone'] as const

/** The state before a recording began, derived from its responses, without resources that it created. */
export class InitialState {
  readonly #accounts = new Map<string, { settings: Map<string, string>; entries: Map<string, Fields> }>()
  readonly #calendars = new Map<string, ReturnType<typeof newCalendar>>()
  /** Resources that were created or seen before: only the first sight counts. */
  readonly #known = new Set<string>()
  readonly #emails: ReadonlyMap<string, string>

  constructor(requests: readonly RecordedRequest[]) {
    this.#emails = findCallers(requests)
    for (const one of requests) this.#account(this.emailOf(one.caller))
    for (const one of requests) this.#look(one)
  }

  emailOf = (caller: string): string => this.#emails.get(caller) ?? UNKNOWN_ACCOUNT

  #account(email: string) {
    const account = this.#accounts.get(email) ?? { settings: new Map(), entries: new Map() }
    this.#accounts.set(email, account)
    this.#calendar(email)
    return account
  }

  #calendar(id: string) {
    const calendar = this.#calendars.get(id) ?? newCalendar()
    this.#calendars.set(id, calendar)
    return calendar
  }

  /** Records the first sight of something. Returns true only the first time. */
  #isNew(kind: string, ...names: string[]): boolean {
    const key = [kind, ...names].join(' ')
    const isNew = !this.#known.has(key)
    this.#known.add(key)
    return isNew
  }

  #look({ exchange: { verb, status, answer, url, body }, path, caller }: RecordedRequest): void {
    // A watch returns a channel for every list.
    if (path.at(-1) === 'watch') return
    const me = this.emailOf(caller)
    const [collection, first = '', second, third, fourth] = path
    const good = status >= 200 && status < 300
    if (verb === 'POST' && collection === 'freeBusy' && good) this.#seeBusy(me, answer)
    const made = verb === 'POST' && good && isObject(answer) ? textAt(answer, 'id') : undefined
    const id = first === 'primary' ? me : first
    if (collection === 'users' && good && verb === 'DELETE' && third !== undefined) this.#seeLostEntry(me, third)
    else if (collection === 'users' && good)
      this.#lookAtOwn(me, second ?? '', third === 'primary' ? me : third, answer, verb)
    if (collection !== 'calendars') return
    if (good && path.length > 1) this.#calendar(id)
    if (path.length > 1 && (good || isLowRole(status, answer))) this.#calendar(id).readers.add(me)
    if (good && verb !== 'GET' && (second === 'events' || second === 'acl')) this.#seeWriter(id, me, second === 'acl')
    if (good && fourth === 'move')
      this.#seeWriter(this.#ownId(me, url.searchParams.get('destination') ?? ''), me, false)
    if (path.length === 1 && made !== undefined) this.#isNew('calendar', made)
    else if (path.length === 2 && good && verb === 'DELETE') this.#seeOwner(id, me)
    else if (path.length === 2 && good && verb !== 'GET') {
      this.#seeOwner(id, me)
      if (isObject(answer)) this.#seeCalendar(id, answer)
    } else if (path.length === 2 && good && isObject(answer)) this.#seeCalendar(id, answer)
    else if (second === 'acl' && good && verb === 'DELETE') this.#seeLostRule(id, third ?? '')
    else if (second === 'acl' && good) this.#lookAtRules(id, third, answer, verb)
    else if (second === 'events') {
      if (made !== undefined && fourth !== 'move') this.#isNew('event', id, made)
      else if (status === 409 && third === undefined)
        this.#seeLost(id, textAt(parseJson(body ?? ''), 'id') ?? '', status, answer)
      else if (fourth === 'move' || verb === 'DELETE' || (status === 412 && third !== undefined))
        this.#seeLost(id, third ?? '', status, answer)
      else if (good) this.#lookAtEvents(id, answer, me)
      if (good && !url.searchParams.has('timeZone')) this.#seeTimes(id, answer)
    }
  }

  #ownId = (me: string, id: string): string => (id === 'primary' ? me : id)

  /** Records event times, because their offsets reveal the calendar's zone. */
  #seeTimes(id: string, answer: unknown): void {
    const { times } = this.#calendar(id)
    for (const event of [answer, ...listAt(answer, 'items')])
      for (const name of ['start', 'end', 'originalStartTime']) {
        const dateTime = textAt(event, name, 'dateTime')
        if (dateTime !== undefined) times.push({ dateTime, timeZone: textAt(event, name, 'timeZone') })
      }
  }

  /** A successful write proves that its calendar exists and that the caller may write there. */
  #seeWriter(id: string, me: string, isOwner: boolean): void {
    if (id === '' || id === me || this.#known.has(`calendar ${id}`)) return
    if (isOwner) this.#seeOwner(id, me)
    else if (!this.#calendar(id).fields.has('owner')) this.#give(id, me, 'writer')
  }

  #seeOwner(id: string, me: string): void {
    const { fields, acl } = this.#calendar(id)
    if (id === me || fields.has('owner') || this.#known.has(`calendar ${id}`)) return
    fields.set('owner', me)
    acl.delete(`user:${me}`)
  }

  /** Records a list entry of which only the deletion is recorded. */
  #seeLostEntry(me: string, id: string): void {
    if (!this.#isNew('entry', me, id)) return
    this.#calendar(id).readers.add(me)
    this.#account(me).entries.set(id, { id })
  }

  /** Records busy times. They become events of calendars of which no event was recorded. */
  #seeBusy(me: string, answer: unknown): void {
    const calendars = at(answer, 'calendars')
    for (const [named, times] of Object.entries(isObject(calendars) ? calendars : {})) {
      if (at(times, 'errors') !== undefined) continue
      const { busy, readers } = this.#calendar(this.#ownId(me, named))
      readers.add(me)
      for (const one of listAt(times, 'busy')) busy.set(JSON.stringify(one), one)
    }
  }

  /** Records a rule of which only the deletion is recorded. */
  #seeLostRule(id: string, rule: string): void {
    if (!this.#isNew('rule', id, rule)) return
    const [type = '', value] = rule.split(/:(.*)/s)
    this.#calendar(id).acl.set(rule, { role: 'reader', scope: { type, ...(value && { value }) } })
  }

  #lookAtOwn(me: string, what: string, id: string | undefined, answer: unknown, verb: string): void {
    const all = id === undefined && verb === 'GET' ? listAt(answer, 'items') : [answer]
    for (const one of all.filter(isObject)) {
      const named = textAt(one, 'id') ?? ''
      if (what === 'settings') this.#account(me).settings.set(named, textAt(one, 'value') ?? '')
      else if (what === 'calendarList' && one.deleted !== true) {
        this.#seeCalendar(named, one)
        const role = textAt(one, 'accessRole')
        if (role !== 'owner') this.#give(named, me, role)
        else if (named !== me && !this.#calendar(named).fields.has('owner'))
          this.#calendar(named).fields.set('owner', me)
        if (this.#isNew('entry', me, named)) this.#account(me).entries.set(named, { id: named, ...pick(one, LISTED) })
      }
    }
  }

  #give(calendarId: string, email: string, role: string | undefined): void {
    const { acl } = this.#calendar(calendarId)
    if (role && !acl.has(`user:${email}`)) acl.set(`user:${email}`, { role, scope: { type: 'user', value: email } })
  }

  #seeCalendar(id: string, fields: Fields): void {
    if (!this.#isNew('calendar', id)) return
    const calendar = this.#calendar(id)
    for (const [name, value] of Object.entries(pick(fields, CALENDAR))) calendar.fields.set(name, value)
    if (typeof fields.dataOwner === 'string') calendar.fields.set('owner', fields.dataOwner)
  }

  #lookAtRules(id: string, rule: string | undefined, answer: unknown, verb: string): void {
    const all = rule === undefined && verb === 'GET' ? listAt(answer, 'items') : [answer]
    for (const one of all.filter(isObject)) {
      const named = textAt(one, 'id') ?? ''
      if (this.#isNew('rule', id, named) && verb !== 'POST' && one.role !== 'none' && named !== `user:${id}`)
        this.#calendar(id).acl.set(named, pick(one, ['role', 'scope']))
    }
  }

  #lookAtEvents(id: string, answer: unknown, me: string): void {
    const isList = textAt(answer, 'kind') === 'calendar#events'
    if (isList && isObject(answer)) {
      this.#seeCalendar(id, answer)
      const role = textAt(answer, 'accessRole')
      if (role === 'owner' && id !== me && !this.#calendar(id).fields.has('owner'))
        this.#calendar(id).fields.set('owner', me)
      else if (role !== 'owner') this.#give(id, me, role)
      const { defaultReminders } = answer
      if (defaultReminders !== undefined && this.#isNew('entry', me, id))
        this.#account(me).entries.set(id, { id, defaultReminders })
    }
    for (const one of (isList ? listAt(answer, 'items') : [answer]).filter(isObject)) this.#seeEvent(id, one)
  }

  #seeEvent(calendarId: string, event: Fields): void {
    const id = textAt(event, 'id')
    if (id === undefined || !this.#isNew('event', calendarId, id)) return
    const series = textAt(event, 'recurringEventId')
    // A series that was created during the recording had no instances before.
    if (
      series !== undefined &&
      this.#known.has(`event ${calendarId} ${series}`) &&
      !this.#calendar(calendarId).events.has(series)
    )
      return
    this.#calendar(calendarId).events.set(id, pick(event, EVENT_FIELDS))
  }

  /** Records an event of which only the deletion is recorded. */
  #seeLost(calendarId: string, id: string, status: number, answer: unknown): void {
    if (status === 404 || !this.#isNew('event', calendarId, id)) return
    if (id === '') return
    // The reply to a move names the destination as organizer.
    const seen: Fields = isObject(answer) && status < 300 ? pick(answer, EVENT_FIELDS) : PLACEHOLDER_TIMES
    const { organizer: _, ...fields } = seen
    this.#calendar(calendarId).events.set(id, { ...fields, id, status: status === 410 ? 'cancelled' : 'confirmed' })
  }

  /**
   * Returns the owner of a calendar. An account owns its primary one. Before November 2025 the service did not return
   * the data owner of secondary calendars, so it is the caller with the role `owner`, or an unknown account.
   */
  #ownerOf(id: string): string | undefined {
    if (!SECONDARY.test(id)) return isPublicCalendar(id) ? undefined : id
    const { fields, acl } = this.#calendar(id)
    const owner = [...acl.values()].find(
      (rule) => rule.role === 'owner' && !SECONDARY.test(textAt(rule, 'scope', 'value') ?? ''),
    )
    return textAt(Object.fromEntries(fields), 'owner') ?? textAt(owner, 'scope', 'value') ?? UNKNOWN_OWNER
  }

  /** Adds rules for readers, and events for busy times, where nothing else explains the responses. */
  #complete(id: string, { acl, events, readers, busy, fields }: ReturnType<typeof newCalendar>): void {
    const known = this.#known.has(`calendar ${id}`) && fields.size === 0
    if (known || isPublicCalendar(id)) return
    for (const reader of readers)
      if (reader !== id && reader !== fields.get('owner') && !acl.has('default')) this.#give(id, reader, 'reader')
    if (events.size > 0) return
    for (const [at, time] of [...busy.values()].entries()) {
      const [start, end] = [textAt(time, 'start'), textAt(time, 'end')]
      events.set(`busy${at}`, {
        id: `busy${String(at).padStart(5, '0')}`,
        start: { dateTime: start },
        end: { dateTime: end },
      })
    }
  }

  seed(): Seed {
    for (const { fields, times } of this.#calendars.values()) {
      const zone = fields.has('timeZone') ? undefined : zoneOfTimes(times)
      if (zone !== undefined) fields.set('timeZone', zone)
    }
    for (const [id, calendar] of this.#calendars) this.#complete(id, calendar)
    const owners = new Map([...this.#calendars.keys()].map((id) => [id, this.#ownerOf(id)]))
    for (const owner of owners.values()) if (owner !== undefined) this.#account(owner)
    const accounts = [...this.#accounts].map(
      ([email, { settings, entries }]): SeedAccount => ({
        email,
        kind: 'workspace',
        timeZone: String(this.#calendars.get(email)?.fields.get('timeZone') ?? settings.get('timezone') ?? 'UTC'),
        ...(settings.size > 0 && { settings: Object.fromEntries(settings) }),
        ...(entries.size > 0 && { calendarList: [...entries.values()] as SeedAccount['calendarList'] }),
      }),
    )
    const calendars = [...this.#calendars].map(
      ([id, { fields, acl, events }]): SeedCalendar => ({
        id,
        ...Object.fromEntries(fields),
        ...(owners.get(id) !== undefined && owners.get(id) !== id && { owner: owners.get(id) }),
        ...(acl.size > 0 && { acl: [...acl.values()] as SeedCalendar['acl'] }),
        events: [...completeSeries(events).values()] as SeedEvent[],
      }),
    )
    return { accounts, calendars }
  }
}

const newCalendar = () => ({
  fields: new Map<string, unknown>(),
  acl: new Map<string, Fields>(),
  events: new Map<string, Fields>(),
  /** Accounts with at least read access, whose role was not recorded. */
  readers: new Set<string>(),
  busy: new Map<string, unknown>(),
  times: [] as ZonedTime[],
})

/** Ids of secondary calendars. Any other id is the address of an account. */
const SECONDARY = /@(group|import|resource)\.calendar\.google\.com$/

/** The times of an event of which only the deletion is recorded. */
const PLACEHOLDER_TIMES = { start: { date: '2000-01-01' }, end: { date: '2000-01-02' } }

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) =>
      fields[name] === undefined || name === 'kind' || name === 'etag' ? [] : [[name, fields[name]]],
    ),
  )

/** Returns true for an error that only a caller with some role gets. */
const isLowRole = (status: number, answer: unknown): boolean =>
  status === 403 && textAt(listAt(at(answer, 'error'), 'errors')[0], 'reason') === 'requiredAccessLevel'

/**
 * Finds the account of each credential: the one that responses call primary or self, else the one that created an event
 * or owns a calendar. Other credentials belong to the first account.
 */
function findCallers(requests: readonly RecordedRequest[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const find of [({ exchange, path }: RecordedRequest) => selfEmail(exchange.answer, path), makerEmail])
    for (const one of requests) {
      const email = found.has(one.caller) ? undefined : find(one)
      if (email !== undefined) found.set(one.caller, email)
    }
  const [first = UNKNOWN_ACCOUNT] = found.values()
  return new Map(requests.map(({ caller }) => [caller, found.get(caller) ?? first]))
}

/** Returns the creator of an inserted event, the data owner of a new calendar, or the only person who owns a calendar. */
function makerEmail({ exchange: { verb, status, answer }, path }: RecordedRequest): string | undefined {
  if (status !== 200 || path[0] !== 'calendars') return undefined
  if (verb === 'POST' && path.length === 1) return textAt(answer, 'dataOwner')
  if (verb === 'POST' && path[2] === 'events' && path.length === 3) return textAt(answer, 'creator', 'email')
  if (verb !== 'GET' || path[2] !== 'acl') return undefined
  const owners = listAt(answer, 'items').flatMap((rule) => {
    const value = textAt(rule, 'scope', 'value')
    return textAt(rule, 'role') === 'owner' && value !== undefined && !SECONDARY.test(value) ? [value] : []
  })
  return owners.length === 1 ? owners[0] : undefined
}

function selfEmail(answer: unknown, [collection, id, ...rest]: readonly string[]): string | undefined {
  const items = listAt(answer, 'items')
  if (collection === 'users' && (rest.at(-1) === 'primary' || at(answer, 'primary') === true))
    return textAt(answer, 'id')
  if (collection === 'users')
    return textAt(
      items.find((one) => isObject(one) && one.primary === true),
      'id',
    )
  if (collection === 'calendars' && id === 'primary') {
    if (rest.length === 0) return textAt(answer, 'id')
    const summary = textAt(answer, 'summary')
    if (rest.length === 1 && textAt(answer, 'kind') === 'calendar#events' && summary?.includes('@')) return summary
  }
  const people = [answer, ...items].flatMap((event) =>
    isObject(event)
      ? [event.creator, ...listAt(event, 'attendees')].filter((one) => isObject(one) && one.self === true)
      : [],
  )
  return people
    .map((one) => textAt(one, 'email'))
    .find((email) => email?.includes('@') && !email.endsWith('.calendar.google.com'))
}
