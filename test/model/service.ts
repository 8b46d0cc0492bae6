/**
 * A naive calendar service: the specification that the product is compared with. A world is a plain object of arrays.
 * Nothing is indexed or cached: every call looks at all records, and a snapshot is a deep copy.
 */
import { DAY_MS, instanceId, isAllDay, isRetimed, lengthOf, msOf, slotsOf, type Time, timeAt } from './times.ts'

export type Role = 'none' | 'freeBusyReader' | 'reader' | 'writer' | 'owner'
export type Status = 'confirmed' | 'tentative' | 'cancelled'
export type ResponseStatus = 'needsAction' | 'accepted' | 'declined' | 'tentative'
export type Attendee = { email: string; responseStatus: ResponseStatus }
export type Reminders = { useDefault: boolean; overrides?: { method: string; minutes: number }[] }
type Properties = { private?: Record<string, string>; shared?: Record<string, string> }

/** The fields that a client writes. An absent field is at its default. */
export type Fields = {
  summary?: string
  description?: string
  location?: string
  colorId?: string
  transparency?: string
  visibility?: string
  guestsCanModify?: boolean
  guestsCanInviteOthers?: boolean
  guestsCanSeeOtherGuests?: boolean
  extendedProperties?: Properties
}
export type Record_ = Fields & {
  calendarId: string
  id: string
  iCalUID: string
  status: Status
  creator: string
  /** Absent in the stub that stays where an event moved away or a guest was removed (behaviour 7.7, 7.16). */
  organizer?: { email: string; displayName?: string }
  privateCopy?: boolean
  start: Time
  end: Time
  recurrence?: string[]
  recurringEventId?: string
  originalStartTime?: Time
  sequence: number
  attendees: Attendee[]
  /** Every account has its own (behaviour 7.12). */
  reminders: Record<string, Reminders>
  /** Cancelled by itself, and not with its series. */
  alone?: boolean
  /** The number of the request that changed it last: a new version has a new etag. */
  version: number
}
export type Calendar = {
  id: string
  summary: string
  dataOwner: string
  primary: boolean
  roles: Record<string, Role>
  deleted?: boolean
}
export type World = {
  now: number
  accounts: string[]
  calendars: Calendar[]
  records: Record_[]
  /** The moments that this world's lists began at. A token is good while the moment of its first page is among them. */
  moments: number[]
  /** Sync tokens of these moments and earlier ones have expired, of one calendar or of all. */
  expiries: { upTo: number; calendarId?: string | undefined }[]
}
/** A body of insert, patch, update or import. In a patch, null removes a field. */
export type Body = { [K in keyof Fields]?: Fields[K] | null } & {
  id?: string
  iCalUID?: string
  status?: Status
  start?: Time
  end?: Time
  recurrence?: string[] | null
  attendees?: { email: string; responseStatus?: ResponseStatus }[] | null
  reminders?: Reminders
  organizer?: { email: string }
  sequence?: number
}

/** A request that the service refuses, with its status and the reason of its first error. */
export class ModelError extends Error {
  readonly status: number
  readonly reason: string
  constructor(status: number, reason: string) {
    super(`${status} ${reason}`)
    this.status = status
    this.reason = reason
  }
}
const throwError = (status: number, reason: string): never => {
  throw new ModelError(status, reason)
}

const ROLES: Role[] = ['none', 'freeBusyReader', 'reader', 'writer', 'owner']
const isAtLeast = (role: Role, needed: Role) => ROLES.indexOf(role) >= ROLES.indexOf(needed)
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, v]) => v !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, sorted(v)]),
        )
      : value

// Access
// ---------------------------------------------------------------------------------------------------------------

/** The calendar and the caller's role on it. A calendar that the caller has no role on is not found (behaviour 1.2). */
export function access(world: World, who: string, calendarId: string, needed: Role = 'freeBusyReader') {
  const calendar = world.calendars.find(({ id }) => id === (calendarId === 'primary' ? who : calendarId))
  const roles = [calendar?.roles[who], calendar?.roles.default].map((role) => ROLES.indexOf(role ?? 'none'))
  const role = ROLES[Math.max(...roles)] ?? 'none'
  if (!calendar || calendar.deleted || role === 'none') return throwError(404, 'notFound')
  if (!isAtLeast(role, needed)) return throwError(403, 'requiredAccessLevel')
  return { calendar, role }
}

export const isCancelled = ({ status }: { status: Status }) => status === 'cancelled'
export const isStub = ({ organizer }: Record_) => organizer === undefined
const isOwn = ({ organizer, calendarId }: Record_) => organizer?.email === calendarId
const recordsOn = (world: World, calendarId: string) => world.records.filter((one) => one.calendarId === calendarId)
const stored = (world: World, calendarId: string, id: string) =>
  recordsOn(world, calendarId).find((one) => one.id === id)
const exceptionsOf = (world: World, { calendarId, id }: Pick<Record_, 'calendarId' | 'id'>) =>
  recordsOn(world, calendarId).filter(({ recurringEventId }) => recurringEventId === id)

/** The event of an id: a record, or an instance that its series has and that nobody changed (behaviour 4.5.1). */
export function find(world: World, calendarId: string, id: string): Record_ | undefined {
  const record = stored(world, calendarId, id)
  if (record) return record
  const master = stored(world, calendarId, id.split('_').slice(0, -1).join('_'))
  return master && instancesOf(master, Number.POSITIVE_INFINITY, id)[0]
}

/**
 * The instances of a series as its rule makes them, up to a limit; of an endless one, far enough for every id that is
 * asked for.
 */
function instancesOf(master: Record_, limit: number, id?: string): Record_[] {
  const { recurrence, ...body } = master
  if (!recurrence) return []
  return slotsOf({ start: master.start, recurrence }, Math.min(limit, msOf(master.start) + 5 * 366 * DAY_MS))
    .map((slot) => ({
      ...body,
      id: instanceId(master.id, slot, master.start),
      start: timeAt(slot, master.start),
      end: timeAt(slot + lengthOf(master), master.end),
      recurringEventId: master.id,
      originalStartTime: timeAt(slot, master.start),
      reminders: {},
    }))
    .filter((one) => id === undefined || one.id === id)
}

// Writes
// ---------------------------------------------------------------------------------------------------------------

let lastRequest = 0
/**
 * Makes a write and gives every record that it changed one new version. A series and its exceptions on one calendar are
 * stamped together (behaviour 5.2). A refused write changes nothing.
 */
export function write<R>(world: World, act: () => R): R {
  const before = structuredClone(world)
  try {
    return act()
  } catch (error) {
    Object.assign(world, before)
    throw error
  } finally {
    const version = ++lastRequest
    const content = (record: Record_ | undefined) => record && { ...record, version: 0, alone: false }
    const changed = world.records.filter((one) => !same(content(one), content(stored(before, one.calendarId, one.id))))
    const seriesOf = ({ calendarId, id, recurringEventId }: Record_) => `${calendarId}\n${recurringEventId ?? id}`
    const series = new Set(changed.map(seriesOf))
    for (const one of world.records) if (series.has(seriesOf(one))) one.version = version
  }
}

/** Stores a record, and what follows from it: the exceptions of a series, and the copies of the guests. */
function save(world: World, record: Record_): Record_ {
  const before = find(world, record.calendarId, record.id)
  world.records = [
    ...world.records.filter((one) => one.calendarId !== record.calendarId || one.id !== record.id),
    record,
  ]
  if (before?.recurrence) {
    for (const exception of exceptionsOf(world, record)) {
      const after = followSeries(exception, before, record)
      if (!same(after, exception)) save(world, after)
    }
  }
  if (isOwn(record)) updateCopies(world, before, record)
  return stored(world, record.calendarId, record.id) ?? record
}

const FOLLOWED = [
  'summary',
  'description',
  'location',
  'colorId',
  'transparency',
  'visibility',
  'guestsCanModify',
  'guestsCanInviteOthers',
  'extendedProperties',
] as const

/**
 * An exception after a write to its series: it keeps what it changed and follows the series in the rest (behaviour
 * 4.6, 4.13).
 */
function followSeries(exception: Record_, before: Record_, after: Record_): Record_ {
  if (isStub(exception)) return exception
  if (isStub(after)) return stubOf(exception)
  const ends = isCancelled(after) || !after.recurrence || isAllDay(before.start) !== isAllDay(after.start)
  if (ends) return { ...exception, status: 'cancelled' }
  const followed: Record_ = { ...exception }
  for (const field of FOLLOWED)
    if (same(exception[field], before[field])) Object.assign(followed, { [field]: after[field] })
  if (isCancelled(before) && isCancelled(exception) && !exception.alone) followed.status = after.status
  const isUnmoved = msOf(exception.start) === msOf(exception.originalStartTime ?? exception.start)
  if (isUnmoved && lengthOf(exception) === lengthOf(before)) {
    followed.end = timeAt(msOf(exception.start) + lengthOf(after), exception.end)
  }
  const answerIn = (record: Record_, email: string) => record.attendees.find((one) => one.email === email)
  followed.attendees = exception.attendees
    .filter(({ email }) => answerIn(after, email) || !answerIn(before, email))
    .map((one) => (same(one, answerIn(before, one.email)) ? (answerIn(after, one.email) ?? one) : one))
    .concat(after.attendees.filter(({ email }) => !answerIn(exception, email) && !answerIn(before, email)))
  if (isRetimed(exception, followed)) {
    followed.attendees = followed.attendees.map((one) =>
      one.email === exception.organizer?.email
        ? one
        : { ...one, responseStatus: answerIn(after, one.email)?.responseStatus ?? 'needsAction' },
    )
  }
  return followed
}

const guestsOf = (world: World, { attendees, organizer }: Record_) =>
  attendees.map(({ email }) => email).filter((email) => email !== organizer?.email && world.accounts.includes(email))

/** Returns true if a record on a guest's calendar is the copy of this event, also from before a move. */
function isCopyOf(world: World, copy: Record_, event: Record_): boolean {
  if (copy.iCalUID !== event.iCalUID || copy.privateCopy || isOwn(copy)) return false
  if (isStub(copy) || copy.organizer?.email === event.organizer?.email) return true
  const former = copy.organizer?.email ?? ''
  return stored(world, former, copy.recurringEventId ?? copy.id)?.organizer?.email !== former
}

/** Brings the copies of all guests up to date with the organizer's event (behaviour 7.1). */
function updateCopies(world: World, before: Record_ | undefined, event: Record_): void {
  const guests = guestsOf(world, event)
  for (const email of guests) {
    const current = find(world, email, event.id)
    if (!current && isCancelled(event)) continue
    if (current && !isCopyOf(world, current, event)) continue
    const copy = copyOf(email, event, current)
    if (!current || !same(copy, current)) save(world, copy)
    if (current && isStub(current)) {
      for (const lost of exceptionsOf(world, { calendarId: email, id: event.id }).filter(isStub)) {
        const instance = find(world, event.calendarId, lost.id)
        if (instance && guestsOf(world, instance).includes(email)) save(world, copyOf(email, instance, undefined))
      }
    }
  }
  for (const email of before ? guestsOf(world, before).filter((one) => !guests.includes(one)) : []) {
    const current = find(world, email, event.id)
    if (current && !isStub(current) && isCopyOf(world, current, event)) save(world, stubOf(current))
  }
}

/** A guest's copy. Its colour, transparency, visibility, private properties and reminders are its own. */
function copyOf(email: string, event: Record_, existing: Record_ | undefined): Record_ {
  const current = existing && !isStub(existing) ? existing : undefined
  const { transparency, visibility, colorId } = current ?? { ...event, colorId: undefined }
  const properties: Properties = {}
  if (current?.extendedProperties?.private) properties.private = current.extendedProperties.private
  if (event.extendedProperties?.shared) properties.shared = event.extendedProperties.shared
  const declined = event.attendees.some((one) => one.email === email && one.responseStatus === 'declined')
  const stays = current && isCancelled(current) && declined // who deleted their copy comes back with a new time alone
  const { recurringEventId } = event
  const firstReminders: Record<string, Reminders> = recurringEventId
    ? {}
    : { [email]: { useDefault: !isAllDay(event.start) } }
  return compact({
    ...event,
    calendarId: email,
    ...{ transparency, visibility, colorId },
    extendedProperties: properties,
    status: stays ? 'cancelled' : event.status,
    reminders: current?.reminders ?? firstReminders,
    version: current?.version ?? 0,
  })
}

/** Drops absent fields and those at their default (behaviour 3.2.3). */
function compact(record: Record_): Record_ {
  const defaults: Record<string, unknown> = {
    transparency: 'opaque',
    visibility: 'default',
    guestsCanModify: false,
    guestsCanInviteOthers: true,
    summary: '',
    description: '',
    location: '',
  }
  const { private: own, shared } = record.extendedProperties ?? {}
  const filled = (map: Record<string, string> | undefined) => map && Object.keys(map).length > 0
  const fields = Object.entries(record).filter(
    ([name, value]) =>
      value !== undefined && value !== null && value !== defaults[name] && name !== 'extendedProperties',
  )
  return {
    ...(Object.fromEntries(fields) as Record_),
    ...((filled(own) || filled(shared)) && {
      extendedProperties: { ...(filled(own) && { private: own }), ...(filled(shared) && { shared }) } as Properties,
    }),
  }
}

const LONG_AGO: { start: Time; end: Time } = {
  start: { dateTime: '2000-01-01T00:00:00Z', timeZone: 'UTC' },
  end: { dateTime: '2000-01-02T00:00:00Z', timeZone: 'UTC' },
}
/** The record that remains after a move or after the removal of a guest (behaviour 7.7, 7.16). */
const stubOf = ({ calendarId, id, iCalUID, creator, recurringEventId, originalStartTime, version }: Record_): Record_ =>
  compact({
    calendarId,
    id,
    iCalUID,
    creator,
    ...LONG_AGO,
    status: 'cancelled',
    transparency: 'transparent',
    recurringEventId,
    originalStartTime,
    sequence: 0,
    attendees: [],
    reminders: {},
    version,
  } as Record_)

function checkTimes({ start, end, recurrence }: Body): void {
  if (!end) throw new ModelError(400, 'required')
  if (!start) throw new ModelError(400, isAllDay(end) ? 'invalid' : 'required')
  if (isAllDay(start) !== isAllDay(end)) throwError(400, 'invalid')
  if (msOf(end) < msOf(start) || (isAllDay(start) && msOf(end) === msOf(start))) throwError(400, 'timeRangeEmpty')
  if (recurrence?.some((line) => !/^(RRULE:FREQ=(DAILY|WEEKLY|YEARLY)|EXDATE)/.test(line))) throwError(400, 'invalid')
}

export const unsaidReminders = ({ start }: Pick<Record_, 'start'>): Reminders => ({ useDefault: !isAllDay(start) })

/** The reminders of one account: of an instance, else of its series, else the default (behaviour 7.12). */
export const remindersOf = (world: World, who: string, record: Record_): Reminders =>
  record.reminders[who] ??
  stored(world, record.calendarId, record.recurringEventId ?? '')?.reminders[who] ??
  unsaidReminders(record)

/**
 * The account whose reminders are fixed when the event is made: the owner of a primary calendar, elsewhere the
 * creator.
 */
const keeperOf = (world: World, { calendarId, creator }: Pick<Record_, 'calendarId' | 'creator'>) =>
  world.accounts.includes(calendarId) ? calendarId : creator

const organizerOf = ({ id, summary, primary }: Calendar) => ({ email: id, ...(!primary && { displayName: summary }) })
const pick = (body: Body): Fields => {
  const { id, iCalUID, status, start, end, recurrence, attendees, reminders, organizer, sequence, ...fields } = body
  return fields as Fields
}
const answered = (attendees: Body['attendees']): Attendee[] =>
  (attendees ?? []).map((one) => ({ responseStatus: 'needsAction', ...one }))

export function insert(world: World, who: string, calendarId: string, body: Body): Record_ {
  const { calendar } = access(world, who, calendarId, 'writer')
  const id = body.id ?? ''
  if (stored(world, calendar.id, id)) throwError(409, 'duplicate')
  checkTimes(body)
  const start = body.start as Time
  const keeper = keeperOf(world, { calendarId: calendar.id, creator: who })
  return save(
    world,
    compact({
      ...pick(body),
      calendarId: calendar.id,
      ...{ id, iCalUID: `${id}@google.com`, creator: who, organizer: organizerOf(calendar) },
      ...{ status: body.status ?? 'confirmed', start, end: body.end as Time, sequence: 0, version: 0 },
      ...(body.recurrence?.length && { recurrence: body.recurrence }),
      attendees: answered(body.attendees),
      reminders: { [keeper]: unsaidReminders({ start }), [who]: body.reminders ?? unsaidReminders({ start }) },
    }),
  )
}

/** The record that a write is about, after the checks that come before the meaning of its body (behaviour 2.4). */
function requireWritable(world: World, who: string, calendarId: string, id: string, isStale = false): Record_ {
  const { calendar } = access(world, who, calendarId, 'writer')
  const current = find(world, calendar.id, id) ?? throwError(404, 'notFound')
  if (isStale) throwError(412, 'conditionNotMet')
  return current
}

export type WriteOptions = { how: 'patch' | 'update'; isStale?: boolean; attendeesOmitted?: boolean }
/** PATCH merges into the event, PUT replaces what clients write (behaviour 3.9). */
export function change(
  world: World,
  who: string,
  calendarId: string,
  id: string,
  body: Body,
  { how, isStale, attendeesOmitted }: WriteOptions,
): Record_ {
  const current = requireWritable(world, who, calendarId, id, isStale)
  if (isStub(current)) throwError(400, 'invalid')
  const base: Body =
    how === 'patch'
      ? { ...current, reminders: remindersOf(world, who, current) }
      : { status: 'confirmed', reminders: { useDefault: true } }
  const merged: Body = { ...base, ...body }
  if (how === 'patch' && body.extendedProperties)
    merged.extendedProperties = { ...current.extendedProperties, ...body.extendedProperties }
  if (attendeesOmitted) {
    const named = body.attendees ?? []
    merged.attendees = [
      ...current.attendees.map((one) => ({ ...one, ...named.find(({ email }) => email === one.email) })),
      ...named.filter(({ email }) => !current.attendees.some((one) => one.email === email)),
    ]
  }
  if (merged.recurrence?.length && current.recurringEventId) throwError(400, 'invalid')
  checkTimes(merged)
  const fields = Object.fromEntries(Object.entries(current).filter(([name]) => !(name in NO_FIELDS)))
  const times = { start: merged.start as Time, end: merged.end as Time }
  const after = compact({
    ...(fields as Record_),
    ...pick(merged),
    ...times,
    status: merged.status ?? 'confirmed',
    recurrence: merged.recurrence?.length ? merged.recurrence : undefined,
    attendees: answered(merged.attendees),
    reminders: current.reminders,
  } as Record_)
  const raises =
    (isCancelled(after) && !isCancelled(current)) ||
    isRetimed(current, after) ||
    !same(current.recurrence, after.recurrence)
  after.sequence = current.sequence + (raises ? 1 : 0)
  if (how === 'update' && isCancelled(current) && !(body.status && body.status !== 'cancelled')) {
    return same(current, after) ? current : throwError(403, 'forbidden')
  }
  const saved = isOwn(current)
    ? changeAsOrganizer(world, current, after, merged.attendees)
    : changeAsGuest(world, current, after)
  if (merged.reminders && !same(merged.reminders, remindersOf(world, who, current))) {
    return save(world, { ...saved, reminders: { ...saved.reminders, [who]: merged.reminders } })
  }
  return saved
}
const NO_FIELDS: Record<string, true> = {
  summary: true,
  description: true,
  location: true,
  colorId: true,
  transparency: true,
  visibility: true,
  guestsCanModify: true,
  guestsCanInviteOthers: true,
  extendedProperties: true,
}

const saveIfChanged = (world: World, current: Record_, after: Record_) =>
  same(current, after) ? current : save(world, after)

/**
 * A new time asks every guest again; so does naming a guest without an answer (behaviour 7.2, 7.10). Others' answers
 * are not the organizer's to give.
 */
function changeAsOrganizer(world: World, current: Record_, after: Record_, named: Body['attendees']): Record_ {
  const attendees = settle(world, current, after, current.calendarId, named)
  const settled = { ...after, attendees, ...alone(world, current, after) }
  const master = stored(world, current.calendarId, current.recurringEventId ?? '')
  if (!master) return saveIfChanged(world, current, settled)
  // A visibility that hides more is the whole series'; one that hides less is not taken (behaviour 4.5.2).
  const visibility = isPrivate(after) ? after.visibility : master.visibility
  if (visibility !== master.visibility) save(world, compact({ ...master, visibility } as Record_))
  const now = find(world, current.calendarId, current.id) ?? current
  return saveIfChanged(world, now, compact({ ...settled, visibility } as Record_))
}
const isPrivate = ({ visibility }: Fields) => visibility === 'private'

function settle(world: World, current: Record_, after: Record_, by: string, named: Body['attendees']): Attendee[] {
  const isMoved = isRetimed(current, after)
  return after.attendees.map((one) => {
    const known = current.attendees.find(({ email }) => email === one.email)
    if (one.email === by || one.email === current.calendarId) return one
    if (isMoved) return { ...one, responseStatus: 'needsAction' }
    if (!known || !world.accounts.includes(one.email)) return one
    const isUnanswered = named?.some(({ email, responseStatus }) => email === one.email && !responseStatus)
    return { ...one, responseStatus: isUnanswered ? 'needsAction' : known.responseStatus }
  })
}

/** Marks an instance that is cancelled while its series is live: it does not come back with the series. */
function alone(world: World, current: Record_, after: Record_): { alone?: boolean } {
  if (!isCancelled(after) || isCancelled(current) || !current.recurringEventId) return {}
  const master = stored(world, current.calendarId, current.recurringEventId)
  return master && !isCancelled(master) ? { alone: true } : {}
}

/** The organizer's event of a copy, if the organizer has a calendar here. */
function meetingOf(world: World, copy: Record_): Record_ | undefined {
  if (!copy.organizer || copy.privateCopy || !world.calendars.some(({ id }) => id === copy.organizer?.email))
    return undefined
  const event = find(world, copy.organizer.email, copy.id)
  return event && event.iCalUID === copy.iCalUID && !isStub(event) ? event : undefined
}

/**
 * A guest's write: the answer and added guests reach the organizer, with guestsCanModify the rest too (behaviour 7.3).
 */
function changeAsGuest(world: World, current: Record_, after: Record_): Record_ {
  const me = current.calendarId
  if (
    current.guestsCanModify !== after.guestsCanModify ||
    current.guestsCanInviteOthers !== after.guestsCanInviteOthers
  )
    throwError(403, 'forbiddenForNonOrganizer')
  if (isCancelled(after) && !isCancelled(current)) return leave(world, current)
  const added = after.attendees.filter(
    ({ email }) => email !== me && !current.attendees.some((one) => one.email === email),
  )
  if (added.length > 0 && current.guestsCanInviteOthers === false) throwError(403, 'forbiddenForNonOrganizer')
  const changed = [...SHARED, ...OWN].filter((field) => !same(current[field], after[field]))
  const meeting = meetingOf(world, current)
  if (meeting) {
    const shared = changed.filter((field) => current.guestsCanModify && (SHARED as readonly string[]).includes(field))
    const next: Record_ = { ...meeting, ...Object.fromEntries(shared.map((field) => [field, after[field]])) }
    if (!same(current.extendedProperties?.shared, after.extendedProperties?.shared)) {
      next.extendedProperties = {
        private: meeting.extendedProperties?.private,
        shared: after.extendedProperties?.shared,
      } as Properties
    }
    const mine = after.attendees.find(({ email }) => email === me)
    next.attendees = [
      ...meeting.attendees.map((one) => (mine && one.email === me ? { ...one, ...mine } : one)),
      ...added,
    ]
    if (mine && !meeting.attendees.some(({ email }) => email === me)) next.attendees.push(mine)
    const raises = isRetimed(meeting, next) || !same(meeting.recurrence, next.recurrence)
    next.sequence = meeting.sequence + (raises ? 1 : 0)
    next.attendees = settle(world, meeting, next, me, [])
    saveIfChanged(world, meeting, compact(next))
  }
  const copy = find(world, me, current.id) ?? current
  const own = {
    ...copy,
    ...Object.fromEntries(changed.map((field) => [field, after[field]])),
    attendees: meeting ? copy.attendees : after.attendees,
    status: after.status,
  }
  const saved = saveIfChanged(world, copy, compact(own as Record_))
  if (isCancelled(current) && !isCancelled(saved)) {
    for (const exception of exceptionsOf(world, saved).filter(isCancelled)) {
      const status = meetingOf(world, exception)?.status
      if (status && status !== 'cancelled') save(world, { ...exception, status })
    }
  }
  return stored(world, me, current.id) ?? saved
}
const SHARED = ['summary', 'description', 'location', 'start', 'end', 'recurrence'] as const
const OWN = ['colorId', 'transparency', 'visibility', 'extendedProperties'] as const

/** A guest deletes their copy, which declines the invitation: of a series, every instance of it (behaviour 7.4). */
function leave(world: World, current: Record_): Record_ {
  save(world, { ...current, status: 'cancelled', ...alone(world, current, { ...current, status: 'cancelled' }) })
  const meeting = meetingOf(world, current)
  for (const one of meeting ? [meeting, ...exceptionsOf(world, meeting)] : []) {
    const now = find(world, one.calendarId, one.id) ?? one
    if (isStub(now) || !guestsOf(world, now).includes(current.calendarId)) continue
    const attendees = now.attendees.map((a) =>
      a.email === current.calendarId ? { ...a, responseStatus: 'declined' as const } : a,
    )
    saveIfChanged(world, now, { ...now, attendees })
  }
  return find(world, current.calendarId, current.id) ?? current
}

/** The organizer deletes the event for all guests, a guest their own copy (behaviour 7.4). */
function cancel(world: World, event: Record_): void {
  if (!isOwn(event)) leave(world, event)
  else
    save(world, {
      ...event,
      status: 'cancelled',
      sequence: event.sequence + 1,
      ...alone(world, event, { ...event, status: 'cancelled' }),
    })
}

export function remove(world: World, who: string, calendarId: string, id: string, isStale = false): undefined {
  const current = requireWritable(world, who, calendarId, id)
  if (isCancelled(current)) throwError(410, 'deleted')
  if (isStale) throwError(412, 'conditionNotMet')
  cancel(world, current)
}

/** Deletes all events, each as by `remove`. Instances that an earlier deletion cancelled are not cancelled again. */
function cancelAll(world: World, calendarId: string): void {
  for (const { id } of recordsOn(world, calendarId).sort(
    (a, b) => Number(!!a.recurringEventId) - Number(!!b.recurringEventId),
  )) {
    const event = stored(world, calendarId, id)
    if (event && !isCancelled(event)) cancel(world, event)
  }
}

export function clear(world: World, who: string, calendarId: string): undefined {
  const { calendar } = access(world, who, calendarId, 'owner')
  if (!calendar.primary) throwError(400, 'invalid')
  cancelAll(world, calendar.id)
}

export function deleteCalendar(world: World, who: string, calendarId: string): undefined {
  const { calendar } = access(world, who, calendarId, 'owner')
  if (calendar.primary) throwError(403, 'cannotDeletePrimaryCalendar')
  if (calendar.dataOwner !== who) throwError(403, 'forbidden')
  cancelAll(world, calendar.id)
  calendar.deleted = true // its events stay behind the copies of their guests
}

/** Moves an event to a calendar that organizes it from then on. Answers with the source's copy (behaviour 7.7). */
export function move(world: World, who: string, calendarId: string, id: string, destinationId: string): Record_ {
  const event = requireWritable(world, who, calendarId, id)
  const { calendar: destination } = access(world, who, destinationId, 'writer')
  if (event.recurringEventId) throwError(400, 'cannotChangeOrganizerOfInstance')
  if (isCancelled(event)) throwError(404, 'notFound')
  if (!isOwn(event)) throwError(403, 'forbiddenForNonOrganizer')
  if (event.calendarId === destination.id) return event
  const existing = stored(world, destination.id, id)
  if (
    existing &&
    (existing.iCalUID !== event.iCalUID || !(isStub(existing) || existing.organizer?.email === event.calendarId))
  )
    throwError(409, 'duplicate')
  const source = event.calendarId
  const organizer = organizerOf(destination)
  const isInvited = (one: Record_, email: string) =>
    one.attendees.some((a) => a.email === email) && world.accounts.includes(email)
  const staying = (one: Record_) => ({
    ...one,
    organizer,
    status: one.calendarId === destination.id || isInvited(one, one.calendarId) ? one.status : ('cancelled' as const),
  })
  const leaving = [...exceptionsOf(world, event), event]
  for (const one of leaving) save(world, isInvited(event, source) ? staying(one) : stubOf(one))
  for (const one of leaving) {
    const keeper = keeperOf(world, { calendarId: destination.id, creator: one.creator })
    const reminders = one.recurringEventId ? one.reminders : { [keeper]: unsaidReminders(one), ...one.reminders }
    save(world, { ...one, calendarId: destination.id, organizer, reminders, version: 0 })
  }
  for (const email of [destination.id, ...guestsOf(world, event)]) {
    const own = exceptionsOf(world, { calendarId: email, id }).filter((one) => one.organizer?.email === source)
    for (const one of own) save(world, staying(one))
  }
  return { ...event, status: 'cancelled', organizer }
}

const BASE32HEX = '0123456789abcdefghijklmnopqrstuv'
/** The id of an import: `_` and the base32hex of its UID (behaviour 3.2.5). */
export function importedId(uid: string): string {
  const bits = [...Buffer.from(uid)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return `_${(bits.match(/.{1,5}/g) ?? []).map((five) => BASE32HEX[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')}`
}

/** Imports a private copy of an event that is organized elsewhere, or brings it up to date (behaviour 7.8). */
export function importEvent(world: World, who: string, calendarId: string, body: Body): Record_ {
  const { calendar } = access(world, who, calendarId, 'writer')
  const iCalUID = body.iCalUID ?? ''
  const current = find(world, calendar.id, importedId(iCalUID))
  if (!body.attendees?.some(({ email }) => email === calendar.id))
    throwError(400, 'participantIsNeitherOrganizerNorAttendee')
  if (current && !isCancelled(current) && (body.sequence ?? 0) < current.sequence) throwError(400, 'invalid')
  checkTimes(body)
  const start = body.start as Time
  const keeper = keeperOf(world, { calendarId: calendar.id, creator: current?.creator ?? who })
  const reminders = body.reminders ?? unsaidReminders({ start })
  return saveIfChanged(
    world,
    current ?? ({} as Record_),
    compact({
      ...pick(body),
      calendarId: calendar.id,
      ...{
        id: importedId(iCalUID),
        iCalUID,
        creator: current?.creator ?? who,
        organizer: { email: body.organizer?.email ?? '' },
        privateCopy: true,
      },
      ...{ status: body.status ?? 'confirmed', start, end: body.end as Time, version: current?.version ?? 0 },
      ...(body.recurrence?.length && { recurrence: body.recurrence }),
      sequence: Math.max(body.sequence ?? 0, current?.sequence ?? 0),
      attendees: answered(body.attendees),
      guestsCanInviteOthers: false,
      guestsCanSeeOtherGuests: false,
      reminders: { ...(current?.reminders ?? { [keeper]: unsaidReminders({ start }) }), [who]: reminders },
    }),
  )
}
