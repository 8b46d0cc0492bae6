import { isPublicCalendar } from '../../../api/calendars/publicCalendars.ts'
import { SETTINGS } from '../../../model/collections.ts'
import { EVENT_FIELDS } from '../../../model/events/fields.ts'
import { isObject } from '../../../schema/values/json.ts'
import type { Seed, SeedAccount, SeedCalendar, SeedEvent } from '../../../seeds/schema/seed.ts'
import { findCallers, isInsufficientRole, SECONDARY_CALENDAR_ID, UNKNOWN_ACCOUNT } from './callers.ts'
import { parseJson } from './formats.ts'
import { at, listAt, textAt } from './recording.ts'
import type { RecordedRequest } from './requests.ts'
import { completeSeries } from './series.ts'
import { type ZonedTime, zoneOfTimes } from './zones.ts'

type Fields = Readonly<Record<string, unknown>>

/** The data owner of a calendar if a recording does not name one. */
const UNKNOWN_OWNER = 'data-owner@example.com'

/** The fields of a list entry that an account sets itself; its other fields belong to the calendar. */
const ENTRY = ['summaryOverride', 'colorId', 'backgroundColor', 'foregroundColor', 'hidden', 'selected'] as const
/** The fields of a list entry, and of a calendar, that go into the seed. */
const ENTRY_FIELDS = [...ENTRY, 'defaultReminders', 'notificationSettings'] as const
const CALENDAR_FIELDS = ['summary', 'description', 'location', 'timeZone'] as const

/**
 * The state before a recording began, derived from its responses: each resource as it was first seen, without those
 * that the recording creates. `me` is the email of the account that sends a request. `segments` is the path below
 * `/calendar/v3/`. The methods whose names begin with `#record` change this state and return nothing. None throws.
 */
export class InitialState {
  readonly #accounts = new Map<string, { settings: Map<string, string>; entries: Map<string, Fields> }>()
  readonly #calendars = new Map<string, ReturnType<typeof emptyCalendar>>()
  /** Keys such as `event CALENDAR ID` of the resources that a request created or a response contained. */
  readonly #seen = new Set<string>()
  /** The names of secondary calendars by id, from the organizers of events. */
  readonly #organizerNames = new Map<string, string>()
  /** The email of the account of each credential. */
  readonly #emails: ReadonlyMap<string, string>

  constructor(requests: readonly RecordedRequest[]) {
    this.#emails = findCallers(requests)
    for (const one of requests) this.#account(this.emailOf(one.credential))
    for (const one of requests) this.#recordExchange(one)
  }

  /** Returns the email of the account of a credential; an invented one if no request has it. */
  emailOf = (credential: string): string => this.#emails.get(credential) ?? UNKNOWN_ACCOUNT

  /** Returns the record of an account, not a copy. Adds it, and its primary calendar, on the first call. */
  #account(email: string) {
    const account = this.#accounts.get(email) ?? { settings: new Map(), entries: new Map() }
    this.#accounts.set(email, account)
    this.#calendar(email)
    return account
  }

  /** Returns the record of a calendar, not a copy. Adds it on the first call. */
  #calendar(id: string) {
    const calendar = this.#calendars.get(id) ?? emptyCalendar()
    this.#calendars.set(id, calendar)
    return calendar
  }

  /** Records the first sight of something. Returns true only the first time. */
  #isNew(kind: string, ...names: string[]): boolean {
    const key = [kind, ...names].join(' ')
    const isNew = !this.#seen.has(key)
    this.#seen.add(key)
    return isNew
  }

  /** Records the first sight of an event. Returns true only the first time. */
  #isNewEvent(calendarId: string, id: string): boolean {
    this.#calendar(calendarId).hasSeenEvents = true
    return this.#isNew('event', calendarId, id)
  }

  /** Records the resources that must have existed before one exchange, with the fields that its response shows. */
  #recordExchange({
    exchange: { verb, status, responseJson, url, requestBody },
    segments,
    credential,
  }: RecordedRequest): void {
    // A watch returns a channel for every list.
    if (segments.at(-1) === 'watch') return
    const me = this.emailOf(credential)
    const [collection, first = '', second, third, fourth] = segments
    const good = status >= 200 && status < 300
    const isRead = good || status === 304
    if (verb === 'POST' && collection === 'freeBusy' && good) this.#recordBusyTimes(me, responseJson)
    const made = verb === 'POST' && good && isObject(responseJson) ? textAt(responseJson, 'id') : undefined
    const id = first === 'primary' ? me : first
    if (collection === 'users' && good && verb === 'DELETE' && third !== undefined) this.#recordDeletedEntry(me, third)
    else if (collection === 'users' && good)
      this.#recordUserResource(me, second ?? '', third === 'primary' ? me : third, responseJson, verb)
    if (collection !== 'calendars') return
    if (isRead && segments.length > 1) this.#calendar(id)
    if (segments.length > 1 && (isRead || isInsufficientRole(status, responseJson))) this.#calendar(id).readers.add(me)
    if (good && verb !== 'GET' && (second === 'events' || second === 'acl'))
      this.#recordWriter(id, me, second === 'acl')
    const destination = this.#ownId(me, url.searchParams.get('destination') ?? '')
    // A destination that does not exist would have been a 404.
    if (fourth === 'move' && (good || status === 400 || status === 409)) this.#recordWriter(destination, me, false)
    if (segments.length === 1 && made !== undefined) this.#isNew('calendar', made)
    else if (segments.length === 2 && good && verb === 'DELETE') this.#recordOwner(id, me)
    else if (segments.length === 2 && good && verb !== 'GET') {
      this.#recordOwner(id, me)
      if (isObject(responseJson)) this.#recordCalendar(id, responseJson)
    } else if (segments.length === 2 && good && isObject(responseJson)) this.#recordCalendar(id, responseJson)
    else if (second === 'acl' && good && verb === 'DELETE') this.#recordDeletedRule(id, third ?? '')
    else if (second === 'acl' && good) this.#recordRules(id, third, responseJson, verb)
    else if (second === 'events') {
      if (good) this.#recordOrganizerNames(responseJson)
      if (made !== undefined && fourth !== 'move') this.#isNewEvent(id, made)
      else if (status === 304 && third !== undefined) this.#calendar(id).proven.add(third)
      else if (status === 409 && third === undefined)
        this.#recordUnseenEvent(id, textAt(parseJson(requestBody ?? ''), 'id') ?? '', status, responseJson)
      else if (fourth === 'move' || verb === 'DELETE' || (status === 412 && third !== undefined))
        this.#recordUnseenEvent(id, third ?? '', status, responseJson)
      else if (good) this.#recordEvents(id, responseJson, me)
      // The destination did not have the event before.
      if (good && fourth === 'move' && destination !== id) this.#isNewEvent(destination, third ?? '')
      if (good && !url.searchParams.has('timeZone')) this.#recordTimes(id, responseJson)
    }
  }

  /** Returns a calendar id in place of `primary`. */
  #ownId = (me: string, id: string): string => (id === 'primary' ? me : id)

  /** Records the names of the secondary calendars that organize an event or the events of a list. */
  #recordOrganizerNames(responseJson: unknown): void {
    for (const event of [responseJson, ...listAt(responseJson, 'items')]) {
      const [id, name] = [textAt(event, 'organizer', 'email'), textAt(event, 'organizer', 'displayName')]
      if (id !== undefined && name !== undefined && SECONDARY_CALENDAR_ID.test(id) && !this.#organizerNames.has(id))
        this.#organizerNames.set(id, name)
    }
  }

  /** Records the times of an event, or of a list of events, because their offsets reveal the calendar's zone. */
  #recordTimes(id: string, responseJson: unknown): void {
    const { times } = this.#calendar(id)
    for (const event of [responseJson, ...listAt(responseJson, 'items')])
      for (const name of ['start', 'end', 'originalStartTime']) {
        const dateTime = textAt(event, name, 'dateTime')
        if (dateTime !== undefined) times.push({ dateTime, timeZone: textAt(event, name, 'timeZone') })
      }
  }

  /**
   * Records that an account wrote to a calendar, so the calendar exists and the account has the role `writer`, or, with
   * `isOwner`, is its owner. A calendar that was seen before is skipped.
   */
  #recordWriter(id: string, me: string, isOwner: boolean): void {
    if (id === '' || id === me || this.#seen.has(`calendar ${id}`)) return
    if (isOwner) this.#recordOwner(id, me)
    else if (!this.#calendar(id).fields.has('owner')) this.#addRule(id, me, 'writer')
  }

  /** Records the owner of a secondary calendar, unless the calendar was seen before. */
  #recordOwner(id: string, me: string): void {
    if (!this.#seen.has(`calendar ${id}`)) this.#setOwner(id, me)
  }

  /** Records the owner of a secondary calendar, unless its owner is known. */
  #setOwner(id: string, me: string): void {
    const { fields, acl } = this.#calendar(id)
    if (id === me || fields.has('owner')) return
    fields.set('owner', me)
    acl.delete(`user:${me}`)
  }

  /** Records a list entry of which only the deletion is recorded. */
  #recordDeletedEntry(me: string, id: string): void {
    if (!this.#isNew('entry', me, id)) return
    this.#calendar(id).readers.add(me)
    this.#account(me).entries.set(id, { id })
  }

  /** Records busy times. They become events of calendars of which no event was recorded before. */
  #recordBusyTimes(me: string, responseJson: unknown): void {
    const calendars = at(responseJson, 'calendars')
    for (const [named, times] of Object.entries(isObject(calendars) ? calendars : {})) {
      if (at(times, 'errors') !== undefined) continue
      const { busy, readers, hasSeenEvents } = this.#calendar(this.#ownId(me, named))
      readers.add(me)
      if (hasSeenEvents) continue
      for (const one of listAt(times, 'busy')) busy.set(JSON.stringify(one), one)
    }
  }

  /**
   * Records a rule of which only the deletion is recorded. Its id is such as `user:bob@example.com`; its role is a
   * guess.
   */
  #recordDeletedRule(id: string, ruleId: string): void {
    if (!this.#isNew('rule', id, ruleId)) return
    const [type = '', value] = ruleId.split(/:(.*)/s)
    this.#calendar(id).acl.set(ruleId, { role: 'reader', scope: { type, ...(value && { value }) } })
  }

  /** Records settings or list entries: the items of a list if `id` is undefined, else one resource. */
  #recordUserResource(
    me: string,
    collection: string,
    id: string | undefined,
    responseJson: unknown,
    verb: string,
  ): void {
    const all = id === undefined && verb === 'GET' ? listAt(responseJson, 'items') : [responseJson]
    for (const one of all.filter(isObject)) {
      const named = textAt(one, 'id') ?? ''
      if (collection === 'settings') this.#recordSetting(me, named, textAt(one, 'value') ?? '', id === undefined)
      else if (collection === 'calendarList' && one.deleted !== true) {
        this.#recordCalendar(named, one)
        const role = textAt(one, 'accessRole')
        if (role !== 'owner') this.#addRule(named, me, role)
        else this.#setOwner(named, me)
        const initial = 'etag' in one && { selected: false } // a partial response has no etag
        if (this.#isNew('entry', me, named))
          this.#account(me).entries.set(named, { id: named, ...initial, ...pick(one, ENTRY_FIELDS) })
      }
    }
  }

  /**
   * Records a setting. One that was read alone is left out if it has its initial value, because a seeded setting is part
   * of each list. Settings of a list keep its order.
   */
  #recordSetting(me: string, id: string, value: string, isInList: boolean): void {
    const { settings } = this.#account(me)
    if (isInList) settings.delete(id)
    if (isInList || settings.has(id) || SETTINGS[id] !== value) settings.set(id, value)
  }

  /** Adds a rule for an account, unless it has one or `role` is undefined. */
  #addRule(calendarId: string, email: string, role: string | undefined): void {
    const { acl } = this.#calendar(calendarId)
    if (role && !acl.has(`user:${email}`)) acl.set(`user:${email}`, { role, scope: { type: 'user', value: email } })
  }

  /** Records the fields of a calendar, from any resource that has them, at its first sight. */
  #recordCalendar(id: string, fields: Fields): void {
    if (!this.#isNew('calendar', id)) return
    const calendar = this.#calendar(id)
    for (const [name, value] of Object.entries(pick(fields, CALENDAR_FIELDS))) calendar.fields.set(name, value)
    if (typeof fields.dataOwner === 'string') calendar.fields.set('owner', fields.dataOwner)
  }

  /** Records access rules: the items of a list if `ruleId` is undefined, else one rule. */
  #recordRules(id: string, ruleId: string | undefined, responseJson: unknown, verb: string): void {
    const all = ruleId === undefined && verb === 'GET' ? listAt(responseJson, 'items') : [responseJson]
    for (const one of all.filter(isObject)) {
      const named = textAt(one, 'id') ?? ''
      if (this.#isNew('rule', id, named) && verb !== 'POST' && one.role !== 'none' && named !== `user:${id}`)
        this.#calendar(id).acl.set(named, pick(one, ['role', 'scope']))
    }
  }

  /** Records an event, or a list of events with the calendar's fields, the role and the reminders that it names. */
  #recordEvents(id: string, responseJson: unknown, me: string): void {
    const isList = textAt(responseJson, 'kind') === 'calendar#events'
    if (isList && isObject(responseJson)) {
      this.#recordCalendar(id, responseJson)
      const role = textAt(responseJson, 'accessRole')
      if (role === 'owner') this.#setOwner(id, me)
      else this.#addRule(id, me, role)
      const { defaultReminders } = responseJson
      if (defaultReminders !== undefined && this.#isNew('entry', me, id))
        this.#account(me).entries.set(id, { id, defaultReminders })
    }
    for (const one of (isList ? listAt(responseJson, 'items') : [responseJson]).filter(isObject))
      this.#recordEvent(id, one)
  }

  /** Records an event at its first sight, except instances of a series that the recording creates. */
  #recordEvent(calendarId: string, event: Fields): void {
    const id = textAt(event, 'id')
    if (id === undefined || !this.#isNewEvent(calendarId, id)) return
    const series = textAt(event, 'recurringEventId')
    // A series that was created during the recording had no instances before.
    if (
      series !== undefined &&
      this.#seen.has(`event ${calendarId} ${series}`) &&
      !this.#calendar(calendarId).events.has(series)
    )
      return
    this.#calendar(calendarId).events.set(id, pick(event, EVENT_FIELDS))
  }

  /**
   * Records an event that a move, a deletion, a 409 or a 412 proves, unless it was seen before. It gets the fields of a
   * successful response, else placeholder times; after a 410 it is cancelled. A 404 or an empty id proves nothing.
   */
  #recordUnseenEvent(calendarId: string, id: string, status: number, responseJson: unknown): void {
    if (status === 404 || !this.#isNewEvent(calendarId, id)) return
    if (id === '') return
    // The reply to a move names the destination as organizer.
    const seen: Fields = isObject(responseJson) && status < 300 ? pick(responseJson, EVENT_FIELDS) : PLACEHOLDER_TIMES
    const { organizer: _, ...fields } = seen
    this.#calendar(calendarId).events.set(id, { ...fields, id, status: status === 410 ? 'cancelled' : 'confirmed' })
  }

  /**
   * Returns the email of the owner of a calendar; undefined for a public one. An account owns its primary calendar. Before
   * November 2025 the service did not return the data owner of secondary calendars, so it is the caller with the role `owner`,
   * or an unknown account.
   */
  #ownerOf(id: string): string | undefined {
    if (!SECONDARY_CALENDAR_ID.test(id)) return isPublicCalendar(id) ? undefined : id
    const { fields, acl } = this.#calendar(id)
    const owner = [...acl.values()].find(
      (rule) => rule.role === 'owner' && !SECONDARY_CALENDAR_ID.test(textAt(rule, 'scope', 'value') ?? ''),
    )
    return textAt(Object.fromEntries(fields), 'owner') ?? textAt(owner, 'scope', 'value') ?? UNKNOWN_OWNER
  }

  /**
   * Adds to a calendar the events that only a 304 proves, a rule for each reader without a rule, and events for busy times if
   * no event was recorded. Rules and busy times of calendars that the recording creates, and of public ones, are skipped.
   */
  #explainAccess(id: string, { acl, events, readers, busy, fields, proven }: ReturnType<typeof emptyCalendar>): void {
    for (const event of proven)
      if (!this.#seen.has(`event ${id} ${event}`)) events.set(event, { ...PLACEHOLDER_TIMES, id: event })
    const known = this.#seen.has(`calendar ${id}`) && fields.size === 0
    if (known || isPublicCalendar(id)) return
    for (const reader of readers)
      if (reader !== id && reader !== fields.get('owner') && !acl.has('default')) this.#addRule(id, reader, 'reader')
    if (events.size > 0) return
    for (const [at, time] of [...busy.values()].entries()) {
      const [start, end] = [textAt(time, 'start'), textAt(time, 'end')]
      events.set(`${BUSY_EVENT_ID}${at}`, {
        id: `${BUSY_EVENT_ID}${String(at).padStart(5, '0')}`,
        start: { dateTime: start },
        end: { dateTime: end },
      })
    }
  }

  /** Returns the state as a seed. The seed loader may still reject records of it. */
  seed(): Seed {
    for (const { fields, times } of this.#calendars.values()) {
      const zone = fields.has('timeZone') ? undefined : zoneOfTimes(times)
      if (zone !== undefined) fields.set('timeZone', zone)
    }
    for (const [id, calendar] of this.#calendars) this.#explainAccess(id, calendar)
    for (const [id, { fields }] of this.#calendars) {
      const name = this.#organizerNames.get(id)
      if (name !== undefined && !this.#seen.has(`calendar ${id}`)) fields.set('summary', name)
    }
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

/** Returns an empty record of a calendar. Rules and events are by id, busy times by their JSON. */
const emptyCalendar = () => ({
  fields: new Map<string, unknown>(),
  acl: new Map<string, Fields>(),
  events: new Map<string, Fields>(),
  /** Accounts with at least read access, whose role was not recorded. */
  readers: new Set<string>(),
  busy: new Map<string, unknown>(),
  /** Ids of events that a 304 proves. */
  proven: new Set<string>(),
  /** True if a request created an event of the calendar, or a response contained one. */
  hasSeenEvents: false,
  times: [] as ZonedTime[],
})

/** The start of the ids of events for busy times. Ids of events contain only the characters a to v and 0 to 9. */
const BUSY_EVENT_ID = 'busslot'

/** The times of an event of which only the existence is recorded. */
const PLACEHOLDER_TIMES = { start: { date: '2000-01-01' }, end: { date: '2000-01-02' } }

/** Returns the present fields of these names, except `kind` and `etag`. */
const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) =>
      fields[name] === undefined || name === 'kind' || name === 'etag' ? [] : [[name, fields[name]]],
    ),
  )
