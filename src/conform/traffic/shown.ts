import { EVENT_FIELDS } from '../../model/fields.ts'
import type { Seed, SeedAccount, SeedCalendar, SeedEvent } from '../../wire/seeds/seed.ts'
import { isObject } from '../same.ts'
import { listAt, textAt } from './recording.ts'
import type { Asked } from './requests.ts'
import { wholeSeries } from './series.ts'

type Said = Readonly<Record<string, unknown>>

/** Whose calendar it is where a recording does not say. */
const SOMEBODY = 'somebody@example.com'

/** A list entry's own part; the rest of it is its calendar's. */
const ENTRY = ['summaryOverride', 'colorId', 'backgroundColor', 'foregroundColor', 'hidden', 'selected'] as const
const LISTED = [...ENTRY, 'defaultReminders', 'notificationSettings'] as const
const CALENDAR = ['summary', 'description', 'location', 'timeZone'] as const

/** What there was before a recording began: what it shows, but for what was made while it ran. */
export class Shown {
  readonly #accounts = new Map<string, { settings: Map<string, string>; entries: Map<string, Said> }>()
  readonly #calendars = new Map<
    string,
    { said: Map<string, unknown>; acl: Map<string, Said>; events: Map<string, Said> }
  >()
  /** What was made, or has been seen already: its first look counts. */
  readonly #known = new Set<string>()
  readonly #emails: ReadonlyMap<string, string>

  constructor(asked: readonly Asked[]) {
    this.#emails = callersOf(asked)
    for (const one of asked) this.#account(this.emailOf(one.caller))
    for (const one of asked) this.#look(one)
  }

  emailOf = (caller: string): string => this.#emails.get(caller) ?? SOMEBODY

  #account(email: string) {
    const account = this.#accounts.get(email) ?? { settings: new Map(), entries: new Map() }
    this.#accounts.set(email, account)
    this.#calendar(email)
    return account
  }

  #calendar(id: string) {
    const calendar = this.#calendars.get(id) ?? { said: new Map(), acl: new Map(), events: new Map() }
    this.#calendars.set(id, calendar)
    return calendar
  }

  /** Whether something is met for the first time; from then on it is known. */
  #isNew(kind: string, ...names: string[]): boolean {
    const key = [kind, ...names].join(' ')
    const isNew = !this.#known.has(key)
    this.#known.add(key)
    return isNew
  }

  #look({ exchange: { verb, status, answer }, path, caller }: Asked): void {
    const me = this.emailOf(caller)
    const [collection, first = '', second, third, fourth] = path
    const good = status >= 200 && status < 300
    const made = verb === 'POST' && good && isObject(answer) ? textAt(answer, 'id') : undefined
    const id = first === 'primary' ? me : first
    if (collection === 'users' && good)
      this.#lookAtOwn(me, second ?? '', third === 'primary' ? me : third, answer, verb)
    if (collection !== 'calendars') return
    if (path.length === 1 && made !== undefined) this.#isNew('calendar', made)
    else if (path.length === 2 && good && isObject(answer)) this.#seeCalendar(id, answer)
    else if (second === 'acl' && good) this.#lookAtRules(id, third, answer, verb)
    else if (second === 'events') {
      if (made !== undefined && fourth !== 'move') this.#isNew('event', id, made)
      else if (fourth === 'move' || verb === 'DELETE') this.#seeLost(id, third ?? '', status, answer)
      else if (good) this.#lookAtEvents(id, answer, me)
    }
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
        else if (named !== me && !this.#calendar(named).said.has('owner')) this.#calendar(named).said.set('owner', me)
        if (this.#isNew('entry', me, named)) this.#account(me).entries.set(named, { id: named, ...picked(one, LISTED) })
      }
    }
  }

  #give(calendarId: string, email: string, role: string | undefined): void {
    const { acl } = this.#calendar(calendarId)
    if (role && !acl.has(`user:${email}`)) acl.set(`user:${email}`, { role, scope: { type: 'user', value: email } })
  }

  #seeCalendar(id: string, said: Said): void {
    if (!this.#isNew('calendar', id)) return
    const calendar = this.#calendar(id)
    for (const [name, value] of Object.entries(picked(said, CALENDAR))) calendar.said.set(name, value)
    if (typeof said.dataOwner === 'string') calendar.said.set('owner', said.dataOwner)
  }

  #lookAtRules(id: string, rule: string | undefined, answer: unknown, verb: string): void {
    const all = rule === undefined && verb === 'GET' ? listAt(answer, 'items') : [answer]
    for (const one of all.filter(isObject)) {
      const named = textAt(one, 'id') ?? ''
      if (this.#isNew('rule', id, named) && verb !== 'POST' && one.role !== 'none' && named !== `user:${id}`)
        this.#calendar(id).acl.set(named, picked(one, ['role', 'scope']))
    }
  }

  #lookAtEvents(id: string, answer: unknown, me: string): void {
    const isList = textAt(answer, 'kind') === 'calendar#events'
    if (isList && isObject(answer)) {
      this.#seeCalendar(id, answer)
      const role = textAt(answer, 'accessRole')
      if (role === 'owner' && id !== me && !this.#calendar(id).said.has('owner'))
        this.#calendar(id).said.set('owner', me)
      else if (role !== 'owner') this.#give(id, me, role)
      const { defaultReminders } = answer
      if (defaultReminders !== undefined && this.#isNew('entry', me, id))
        this.#account(me).entries.set(id, { id, defaultReminders })
    }
    for (const one of (isList ? listAt(answer, 'items') : [answer]).filter(isObject)) this.#seeEvent(id, one)
  }

  #seeEvent(calendarId: string, event: Said): void {
    const id = textAt(event, 'id')
    if (id === undefined || !this.#isNew('event', calendarId, id)) return
    const series = textAt(event, 'recurringEventId')
    // Of a series that was made meanwhile there was no instance before.
    if (
      series !== undefined &&
      this.#known.has(`event ${calendarId} ${series}`) &&
      !this.#calendar(calendarId).events.has(series)
    )
      return
    this.#calendar(calendarId).events.set(id, picked(event, EVENT_FIELDS))
  }

  /** An event that is shown as it goes, or of which nothing but its end is known. */
  #seeLost(calendarId: string, id: string, status: number, answer: unknown): void {
    if (status === 404 || !this.#isNew('event', calendarId, id)) return
    const there = isObject(answer) && status < 300 ? picked(answer, EVENT_FIELDS) : BARE
    this.#calendar(calendarId).events.set(id, { ...there, id, status: status === 410 ? 'cancelled' : 'confirmed' })
  }

  seed(): Seed {
    const accounts = [...this.#accounts].map(
      ([email, { settings, entries }]): SeedAccount => ({
        email,
        kind: 'workspace',
        timeZone: String(this.#calendars.get(email)?.said.get('timeZone') ?? settings.get('timezone') ?? 'UTC'),
        ...(settings.size > 0 && { settings: Object.fromEntries(settings) }),
        ...(entries.size > 0 && { calendarList: [...entries.values()] as SeedAccount['calendarList'] }),
      }),
    )
    const calendars = [...this.#calendars].map(
      ([id, { said, acl, events }]): SeedCalendar => ({
        id,
        ...Object.fromEntries(said),
        ...(acl.size > 0 && { acl: [...acl.values()] as SeedCalendar['acl'] }),
        events: [...wholeSeries(events).values()] as SeedEvent[],
      }),
    )
    return { accounts, calendars }
  }
}

/** What is known of an event that was only ever seen to go. */
const BARE = { start: { date: '2000-01-01' }, end: { date: '2000-01-02' } }

const picked = (said: Said, names: readonly string[]): Said =>
  Object.fromEntries(
    names.flatMap((name) =>
      said[name] === undefined || name === 'kind' || name === 'etag' ? [] : [[name, said[name]]],
    ),
  )

/** Whose each credential is: whoever is called primary, or self, in what it was answered; one that tells nothing is the first's. */
function callersOf(asked: readonly Asked[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { exchange, path, caller } of asked) {
    const email = found.has(caller) ? undefined : selfIn(exchange.answer, path)
    if (email !== undefined) found.set(caller, email)
  }
  const [first = SOMEBODY] = found.values()
  return new Map(asked.map(({ caller }) => [caller, found.get(caller) ?? first]))
}

function selfIn(answer: unknown, [collection, id, ...rest]: readonly string[]): string | undefined {
  const items = listAt(answer, 'items')
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
  return people.map((one) => textAt(one, 'email')).find((email) => email?.includes('@'))
}
