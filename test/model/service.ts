/**
 * A naive calendar service: the specification that the product is compared with. A world is a plain object of arrays.
 * Nothing is indexed or cached: every call looks at all records, and a snapshot is a deep copy.
 *
 * A record is an event on one calendar. An event has a record on the calendar of its organizer, and a copy on that of
 * each guest. Of a series only the master and the exceptions (changed instances) are records.
 */
import { isDeepStrictEqual } from 'node:util'
import { DAY_MS, instanceId, isAllDay, isRetimed, lengthOf, msOf, slotsOf, stemOf, type Time, timeAt } from './times.ts'

export type Role = 'none' | 'freeBusyReader' | 'reader' | 'writer' | 'owner'
export type Status = 'confirmed' | 'tentative' | 'cancelled'
export type ResponseStatus = 'needsAction' | 'accepted' | 'declined' | 'tentative'
/** `written` is the spelling of an address, which replies show (behaviour 1.6). */
type Attendee = { email: string; responseStatus: ResponseStatus; written?: string | undefined }
export type Reminders = { useDefault: boolean; overrides?: { method: string; minutes: number }[] }
type Properties = { private?: Record<string, string> | undefined; shared?: Record<string, string> | undefined }

/** The fields that an exception takes from its master until a write changes them. Absent: at its default. */
const FIELDS = [
  ...['summary', 'description', 'location', 'colorId', 'eventLabelId', 'transparency', 'visibility', 'guestsCanModify'],
  ...['guestsCanInviteOthers', 'guestsCanSeeOtherGuests', 'extendedProperties'],
]
const DEFAULTS: Record<string, unknown> = {
  ...{ summary: '', description: '', location: '', transparency: 'opaque', visibility: 'default' },
  ...{ guestsCanModify: false, guestsCanInviteOthers: true, extendedProperties: {} },
}
type Fields = {
  [field: string]: unknown
  visibility?: string
  extendedProperties?: Properties
  colorId?: string
  eventLabelId?: string
}
/** A body of insert, patch, update or import. In a patch, null removes a field. */
export type Body = Fields & {
  id?: string
  iCalUID?: string
  status?: Status
  start?: Time
  end?: Time
  recurrence?: string[] | null
  attendees?: { email: string; responseStatus?: ResponseStatus; written?: string | undefined }[]
  reminders?: Partial<Reminders>
  organizer?: { email: string }
  sequence?: number
  recurringEventId?: string
}
export type Record_ = Fields & {
  calendarId: string
  id: string
  iCalUID: string
  status: Status
  creator: string
  /** Absent in a tombstone, which stays where an event moved away or a guest was removed (behaviour 7.7, 7.16). */
  organizer?: { email: string; displayName?: string }
  privateCopy?: boolean
  start: Time
  end: Time
  recurrence?: string[]
  recurringEventId?: string
  originalStartTime?: Time
  sequence: number
  attendees: Attendee[]
  /** By account (behaviour 7.12). */
  reminders: Record<string, Reminders>
  /** True for an instance that is cancelled while its series is live: it does not return with the series. */
  isCancelledAlone?: boolean
}
export type Calendar = {
  id: string
  summary: string
  dataOwner: string
  primary: boolean
  roles: Record<string, Role>
  deleted?: boolean
  labels?: Label[]
}
export type Label = { id: string; backgroundColor: string }
export type World = {
  now: number
  accounts: string[]
  calendars: Calendar[]
  records: Record_[]
  /** Former versions of series, before writes that changed their times or rules, the latest last. */
  former: Record_[]
  /** The number of the last write to each series or single event, by `seriesKey`. A new version has a new etag. */
  versions: Record<string, number>
  /** The lists that began in this world. A page token or sync token is valid while its list is one of them. */
  listIds: number[]
  /** Sync tokens of these lists and earlier ones have expired, of one calendar or of all. */
  expiries: { upTo: number; calendarId?: string | undefined }[]
}

/** A request that the service rejects, with its status and the reason of its first error. */
export class ModelError extends Error {
  readonly status: number
  readonly reason: string
  constructor(status: number, reason: string) {
    super(`${status} ${reason}`)
    this.status = status
    this.reason = reason
  }
}
export const throwError = (status: number, reason: string): never => {
  throw new ModelError(status, reason)
}

/** Returns true if two values are the same JSON. Undefined is the same as an absent field. */
const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(toJson(a), toJson(b))
const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
/** Returns an object without absent fields and those at their default (behaviour 3.2.3). */
const compact = <R extends object>(record: R): R =>
  Object.fromEntries(Object.entries(record).filter(([name, v]) => v != null && !same(v, DEFAULTS[name]))) as R

const ROLES: Role[] = ['none', 'freeBusyReader', 'reader', 'writer', 'owner']
/** Returns the calendar and the caller's role on it. Throws 404 without a role (behaviour 1.2), 403 for too low a role. */
export function access(world: World, account: string, calendarId: string, required: Role = 'freeBusyReader') {
  const calendar = world.calendars.find(({ id }) => id === (calendarId === 'primary' ? account : calendarId))
  const rank = Math.max(...[account, 'default'].map((scope) => ROLES.indexOf(calendar?.roles[scope] ?? 'none')))
  if (!calendar || calendar.deleted || rank === 0) return throwError(404, 'notFound')
  if (rank < ROLES.indexOf(required)) return throwError(403, 'requiredAccessLevel')
  return { calendar, role: ROLES[rank] as Role }
}

export const isCancelled = ({ status }: { status: Status }) => status === 'cancelled'
export const isTombstone = ({ organizer }: Record_) => organizer === undefined
const isOrganizerCopy = ({ organizer, calendarId }: Record_) => organizer?.email === calendarId
export const recordsOn = (world: World, calendarId: string) =>
  world.records.filter((one) => one.calendarId === calendarId)
const findRecord = (world: World, calendarId: string, id = '') => recordsOn(world, calendarId).find((r) => r.id === id)
export const exceptionsOf = (world: World, { calendarId, id }: Pick<Record_, 'calendarId' | 'id'>) =>
  recordsOn(world, calendarId).filter(({ recurringEventId }) => recurringEventId === id)
const masterOf = (world: World, { calendarId, recurringEventId }: Record_) =>
  findRecord(world, calendarId, recurringEventId)
const attendeeIn = ({ attendees }: Record_, email: string) => attendees.find((one) => one.email === email)

/** Returns the event with an id: a record, or an unchanged instance of a series (behaviour 4.5.1). */
export function find(world: World, calendarId: string, id: string): Record_ | undefined {
  const record = findRecord(world, calendarId, id)
  if (record) return record
  const stem = id.split('_').slice(0, -1).join('_')
  return recordsOn(world, calendarId)
    .filter((one) => one.recurrence && stemOf(one.id) === stem)
    .flatMap((one) => slotsOf(one, msOf(one.start) + 5 * 366 * DAY_MS).map((slot) => instanceAt(one, slot)))
    .find((one) => one.id === id)
}

/** Returns the unchanged instance of a series at an original start, in milliseconds. */
export function instanceAt({ recurrence, ...master }: Record_, slot: number): Record_ {
  const [id, start] = [instanceId(master.id, slot, master.start), timeAt(slot, master.start)]
  const end = timeAt(slot + lengthOf(master), master.end)
  return { ...master, id, start, end, recurringEventId: master.id, originalStartTime: start, reminders: {} }
}

let lastVersion = 0
const seriesKey = ({ calendarId, id, recurringEventId = id }: Record_) => `${calendarId}\n${recurringEventId}`
/** Returns the calendar of a `seriesKey`. */
export const calendarIdOf = (key: string) => String(key.split('\n')[0])
/** Returns the version of an event. A series and its exceptions on one calendar share it (behaviour 5.2). */
export const versionOf = ({ versions }: World, record: Record_) => versions[seriesKey(record)] ?? 0
/** Runs a write and gives every record that it changed one new version. A rejected write changes nothing. */
export function write<R>(world: World, run: () => R): R {
  const before = structuredClone(world)
  try {
    return run()
  } catch (error) {
    Object.assign(world, before)
    throw error
  } finally {
    lastVersion++
    world.former = [...before.former, ...before.records.filter((one) => isRedefined(world, one))]
    for (const one of world.records)
      if (!same(withoutMark(one), withoutMark(findRecord(before, one.calendarId, one.id))))
        world.versions[seriesKey(one)] = lastVersion
  }
}
/** Returns true for a series that a write has given other times or another rule. */
function isRedefined(world: World, { recurrence, start, end, ...before }: Record_): boolean {
  const after = findRecord(world, before.calendarId, before.id)
  return (
    recurrence !== undefined && !same({ recurrence, start, end }, pick(after ?? {}, ['recurrence', 'start', 'end']))
  )
}
const withoutMark = (record: Record_ | undefined) => record && { ...record, isCancelledAlone: false }

/** Stores a record, and what follows from it: the exceptions of a series, and the copies of the guests. */
function save(world: World, given: Record_): Record_ {
  const { calendarId, id } = given
  const owner = reminderOwner(world, calendarId, given.creator)
  const held = given.reminders[owner] ?? masterOf(world, given)?.reminders[owner]
  const record =
    held && !isTombstone(given)
      ? { ...given, reminders: { ...given.reminders, [owner]: storedReminders(owner, given, held) } }
      : given
  const before = find(world, calendarId, id)
  world.records = [...world.records.filter((one) => one.calendarId !== calendarId || one.id !== id), record]
  for (const exception of before?.recurrence ? exceptionsOf(world, record) : [])
    saveIfChanged(world, exception, followSeries(world, exception, before as Record_, record))
  if (isOrganizerCopy(record)) updateCopies(world, before, record)
  return findRecord(world, calendarId, id) ?? record
}
const saveIfChanged = (world: World, current: Record_, after: Record_) =>
  same(current, after) ? current : save(world, after)

/** Returns an exception after a write to its series: it keeps what it changed, and follows in the rest (behaviour 4.6). */
function followSeries(world: World, exception: Record_, before: Record_, after: Record_): Record_ {
  if (isTombstone(exception)) return exception
  if (isTombstone(after)) return tombstoneOf(exception)
  const ends = isCancelled(after) || !after.recurrence || isAllDay(before.start) !== isAllDay(after.start)
  if (ends && isCancelled(exception)) return exception
  if (ends) return { ...exception, status: 'cancelled', ...(!isCancelled(after) && { isCancelledAlone: true }) }
  const { start, originalStartTime = start, organizer } = exception
  const inherited = FIELDS.filter((field) => same(exception[field], before[field]))
  const result: Record_ = { ...exception, ...pick(after, inherited) }
  const owner = reminderOwner(world, exception.calendarId, exception.creator)
  const reminders = after.reminders[owner]
  if (reminders && same(exception.reminders[owner], before.reminders[owner]))
    result.reminders = { ...exception.reminders, [owner]: reminders }
  const event = isOrganizerCopy(exception) ? undefined : organizerEventOf(world, exception)
  const isEnded = exception.isCancelledAlone || event?.status === 'cancelled'
  if (isCancelled(before) && isCancelled(exception) && !isEnded) result.status = after.status
  if (msOf(start) === msOf(originalStartTime) && lengthOf(exception) === lengthOf(before))
    result.end = timeAt(msOf(start) + lengthOf(after), exception.end)
  const isNew = ({ email }: Attendee) => !attendeeIn(exception, email) && !attendeeIn(before, email)
  result.attendees = exception.attendees
    .filter(({ email }) => attendeeIn(after, email) || !attendeeIn(before, email))
    .map((one) => (same(one, attendeeIn(before, one.email)) ? (attendeeIn(after, one.email) ?? one) : one))
    .concat(after.attendees.filter(isNew))
  if (!isRetimed(exception, result)) return result
  const reset = ({ email }: Attendee) => attendeeIn(after, email) ?? { email, responseStatus: 'needsAction' as const }
  return { ...result, attendees: result.attendees.map((one) => (one.email === organizer?.email ? one : reset(one))) }
}

/** Returns the attendees with a calendar in this world, without the organizer. */
const guestsOf = (world: World, { attendees, organizer }: Record_) =>
  attendees.map(({ email }) => email).filter((email) => email !== organizer?.email && world.accounts.includes(email))

/** Returns true if a record on a guest's calendar is the copy of this event, also from before a move. */
function isCopyOf(world: World, copy: Record_, event: Record_): boolean {
  if (copy.iCalUID !== event.iCalUID || copy.privateCopy || isOrganizerCopy(copy)) return false
  if (isTombstone(copy) || copy.organizer?.email === event.organizer?.email) return true
  const former = copy.organizer?.email ?? ''
  return findRecord(world, former, copy.recurringEventId ?? copy.id)?.organizer?.email !== former
}

/** Brings the copies of all guests up to date with the organizer's event (behaviour 7.1). */
function updateCopies(world: World, before: Record_ | undefined, event: Record_): void {
  const guests = guestsOf(world, event)
  for (const email of guests) {
    const current = find(world, email, event.id)
    if (current ? !isCopyOf(world, current, event) : isCancelled(event)) continue
    const copy = copyOf(email, event, current)
    if (!current || !same(copy, current)) save(world, copy)
    if (!current || !isTombstone(current)) continue
    for (const { id } of exceptionsOf(world, { calendarId: email, id: event.id }).filter(isTombstone)) {
      const instance = find(world, event.calendarId, id)
      if (instance && guestsOf(world, instance).includes(email)) save(world, copyOf(email, instance, undefined))
    }
  }
  for (const email of before ? guestsOf(world, before).filter((one) => !guests.includes(one)) : []) {
    const current = find(world, email, event.id)
    if (current && !isTombstone(current) && isCopyOf(world, current, event)) save(world, tombstoneOf(current))
  }
}

/** Returns a guest's copy. Its colour, transparency, visibility, private properties and reminders are its own. */
function copyOf(email: string, event: Record_, existing: Record_ | undefined): Record_ {
  const current = existing && !isTombstone(existing) ? existing : undefined
  const own = pick(current ?? { ...event, colorId: undefined, eventLabelId: undefined }, [
    ...['transparency', 'visibility', 'colorId', 'eventLabelId'],
  ])
  // A guest who deleted the copy declined. The copy returns when a new time resets that response.
  const staysCancelled = current && isCancelled(current) && attendeeIn(event, email)?.responseStatus === 'declined'
  const status = staysCancelled ? 'cancelled' : event.status
  const reminders = current?.reminders ?? { [email]: DEFAULTS_IN_USE }
  const properties = { private: current?.extendedProperties?.private, shared: event.extendedProperties?.shared }
  const { isCancelledAlone } = staysCancelled ? current : event
  return compact({
    ...event,
    ...own,
    calendarId: email,
    extendedProperties: properties,
    status,
    reminders,
    isCancelledAlone,
  })
}

/** Returns the record that stays after a move or after the removal of a guest (behaviour 7.7, 7.16). */
const tombstoneOf = ({ calendarId, id, iCalUID, creator, recurringEventId, originalStartTime }: Record_): Record_ =>
  compact({
    ...({ calendarId, id, iCalUID, creator, recurringEventId, originalStartTime } as Record_),
    ...{ status: 'cancelled', transparency: 'transparent', sequence: 0, attendees: [], reminders: {} },
    start: { dateTime: '2000-01-01T00:00:00Z', timeZone: 'UTC' },
    end: { dateTime: '2000-01-02T00:00:00Z', timeZone: 'UTC' },
  })

export const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name]]))

/** The lines around the conference block of a description, which a write removes (behaviour 3.2.19). */
export const DELIMITER = '-::~:~::~:~:~:~:~:~:~:~:~:~:~:~:~:~::~:~::-'
const BLOCK = new RegExp(`${DELIMITER}.*${DELIMITER}`, 's')
/** The colours of labels that stand for a `colorId` (behaviour 3.2.18). */
export const PALETTE: Record<string, string> = { '#7986cb': '1', '#33b679': '2' }
export const labelsOf = (world: World, calendarId = '') =>
  world.calendars.find(({ id }) => id === calendarId)?.labels ?? []

/** Returns the fields of a body that the service changes. A new colour replaces a label. Throws 400 for unknown ones. */
function readFields(world: World, { calendarId, ...current }: Partial<Record_>, body: Body, sent: Body): Fields {
  const { colorId, description } = body
  const kept = sent.colorId && sent.colorId !== current.colorId ? undefined : current.eventLabelId
  const eventLabelId = sent.eventLabelId ?? kept
  const label = labelsOf(world, calendarId).find(({ id }) => id === eventLabelId)
  if (eventLabelId && eventLabelId !== current.eventLabelId && !label) throwError(400, 'invalid')
  if (Number(colorId) > 11) throwError(400, 'invalid')
  return {
    description: typeof description === 'string' ? description.replace(BLOCK, '') : description,
    eventLabelId,
    colorId: eventLabelId ? PALETTE[label?.backgroundColor ?? ''] : colorId,
  } as Fields
}

/** Returns a record with the fields of a body. Throws 400 for invalid fields, times or recurrence lines. */
function compose(world: World, record: Partial<Record_>, body: Body, sent = body): Record_ {
  const { start, end, recurrence, status = 'confirmed', attendees = [] } = body
  if (!end) return throwError(400, 'required')
  if (!start) return throwError(400, isAllDay(end) ? 'invalid' : 'required')
  if (isAllDay(start) !== isAllDay(end)) throwError(400, 'invalid')
  if (msOf(end) < msOf(start) || (isAllDay(start) && msOf(end) === msOf(start))) throwError(400, 'timeRangeEmpty')
  if (recurrence?.some((line) => !/^(RRULE:FREQ=(DAILY|WEEKLY|YEARLY)|EXDATE)/.test(line))) throwError(400, 'invalid')
  return compact({
    ...record,
    ...pick(body, FIELDS),
    ...readFields(world, record, body, sent),
    ...{ status, start, end, recurrence: recurrence?.length ? recurrence : undefined },
    attendees: attendees.map((one) => ({ responseStatus: 'needsAction', ...one })),
  } as Record_)
}

const DEFAULTS_IN_USE: Reminders = { useDefault: true }
/** Returns the reminders of one account: of an instance, else of its series, else the default (behaviour 7.12). */
export function remindersOf(world: World, account: string, record: Record_): Reminders {
  const own = record.reminders[account] ?? masterOf(world, record)?.reminders[account] ?? DEFAULTS_IN_USE
  return isAllDay(record.start) && own.useDefault ? { useDefault: false } : own
}
/** Returns the reminders of a body. Throws 400 for more than five, and for overrides beside the defaults (behaviour 3.2.10). */
function readReminders({ useDefault = true, overrides: given = [] }: Partial<Reminders>): Reminders {
  if (given.length > 5) throwError(400, 'eventRemindersCountExceedsLimit')
  if (useDefault && given.length) throwError(400, 'cannotUseDefaultRemindersAndSpecifyOverride')
  const clamped = given.map((one) => ({ ...one, minutes: Math.min(Math.max(one.minutes, 0), 40_320) }))
  const overrides = clamped
    .filter((one, at) => clamped.findIndex((other) => same(one, other)) === at)
    .sort((a, b) => (a.method === b.method ? a.minutes - b.minutes : a.method < b.method ? -1 : 1))
  return { useDefault, ...(overrides.length && { overrides }) }
}
/** Returns reminders as a write stores them: an all-day event takes over the defaults, which only primary calendars have. */
const storedReminders = (account: string, { calendarId, start }: Record_, own: Reminders): Reminders =>
  isAllDay(start) && own.useDefault
    ? { useDefault: false, ...(calendarId === account && { overrides: [{ method: 'popup', minutes: 10 }] }) }
    : own
/** Returns the account whose reminders a new event has: the owner of a primary calendar, elsewhere the creator. */
export const reminderOwner = (world: World, calendarId: string, creator: string) =>
  world.accounts.includes(calendarId) ? calendarId : creator

const organizerOf = ({ id, summary, primary }: Calendar) => ({ email: id, ...(!primary && { displayName: summary }) })

/** Returns a body with the addresses of the accounts. The spelling googlemail.com stays beside them (behaviour 1.6). */
function readPeople({ attendees, ...body }: Body): Body {
  const people = attendees?.map(({ email, ...one }) => {
    const address = email.replace('@googlemail.', '@gmail.')
    return { ...one, email: address, written: address === email ? undefined : email }
  })
  return people ? { ...body, attendees: people } : body
}

/** Throws 400 for a `recurringEventId` without the form of an id. Any other is ignored (behaviour 2.2.4). */
function checkSeriesId({ recurringEventId = '0' }: Body): void {
  if (!/^[0-9a-v]+(_R?[0-9TZ]+)?$/.test(recurringEventId)) throwError(400, 'invalid')
}

/** Throws 403, 404, 409, and 400 for an invalid body. */
export function insert(world: World, account: string, calendarId: string, given: Body): Record_ {
  const body = readPeople(given)
  const { calendar } = access(world, account, calendarId, 'writer')
  const { id = '' } = body
  checkSeriesId(body)
  if (findRecord(world, calendar.id, id)) throwError(409, 'duplicate')
  const origin = { iCalUID: `${id}@google.com`, creator: account, organizer: organizerOf(calendar), sequence: 0 }
  const composed = compose(world, { calendarId: calendar.id, id, ...origin, reminders: {} }, body)
  const own = storedReminders(account, composed, readReminders(body.reminders ?? {}))
  const owner = reminderOwner(world, calendar.id, account)
  return save(world, { ...composed, reminders: { [owner]: DEFAULTS_IN_USE, [account]: own } })
}

/** Returns the event that a write is about. Throws 403, 404, and 412 if `isStale`, in this order (behaviour 2.4). */
function requireWritable(world: World, account: string, calendarId: string, id: string, isStale = false): Record_ {
  const { calendar } = access(world, account, calendarId, 'writer')
  const current = find(world, calendar.id, id) ?? throwError(404, 'notFound')
  return isStale ? throwError(412, 'conditionNotMet') : current
}

type WriteOptions = { how: 'patch' | 'update'; isStale?: boolean; attendeesOmitted?: boolean }
/** Changes an event: PATCH merges into it, PUT replaces the fields that clients write (behaviour 3.9). */
export function change(
  world: World,
  account: string,
  calendarId: string,
  id: string,
  given: Body,
  { how, isStale, attendeesOmitted }: WriteOptions,
): Record_ {
  const body = readPeople(given)
  const current = requireWritable(world, account, calendarId, id, isStale)
  if (isTombstone(current)) throwError(400, 'invalid')
  const reminders = remindersOf(world, account, current)
  const merged: Body = how === 'patch' ? { ...current, ...body } : { ...body }
  if (how === 'patch' && body.extendedProperties)
    merged.extendedProperties = { ...current.extendedProperties, ...body.extendedProperties }
  if (attendeesOmitted) {
    const { attendees: changed = [] } = body
    merged.attendees = current.attendees.map((one) => ({ ...one, ...changed.find(({ email }) => email === one.email) }))
    merged.attendees.push(...changed.filter(({ email }) => !attendeeIn(current, email)))
  }
  if (merged.recurrence?.length && current.recurringEventId) throwError(400, 'invalid')
  const after = compose(world, current, merged, body)
  const asked = how === 'patch' ? { ...reminders, ...body.reminders } : (body.reminders ?? {})
  const own = storedReminders(account, after, readReminders(asked))
  if (isOrganizerCopy(current) && !same(own, reminders)) after.reminders = { ...after.reminders, [account]: own }
  after.sequence = sequenceAfter(current, after)
  if (how === 'update' && isCancelled(current) && (body.status ?? 'cancelled') === 'cancelled')
    return same(current, after) ? current : throwError(403, 'forbidden')
  const saved = isOrganizerCopy(current)
    ? changeAsOrganizer(world, current, after, merged.attendees)
    : changeAsGuest(world, current, after, account === current.calendarId ? readReminders(asked) : undefined)
  // A guest's copy can keep other times than the guest asked for, with the reminders of these.
  const stored = isOrganizerCopy(current) ? own : storedReminders(account, saved, readReminders(asked))
  if (same(stored, reminders) || same(stored, remindersOf(world, account, saved))) return saved
  return save(world, { ...saved, reminders: { ...saved.reminders, [account]: stored } })
}
/** Returns true for another recurrence, unless it is the same with a lower COUNT (behaviour 3.2.16). */
function hasNewRule({ recurrence: before }: Record_, { recurrence: after }: Record_): boolean {
  const countOf = (lines: string[] = []) => Number(/COUNT=(\d+)/.exec(`${lines}`)?.[1] ?? 0)
  const isLower = countOf(after) > 0 && countOf(after) < countOf(before)
  const isTrim =
    isLower &&
    same(
      before,
      after?.map((line) => line.replace(/COUNT=\d+/, `COUNT=${countOf(before)}`)),
    )
  return !same(before, after) && !isTrim
}
/** Returns the sequence of an event after a change: one more for a cancellation, new times or another recurrence. */
function sequenceAfter(current: Record_, after: Record_): number {
  const isNewlyCancelled = isCancelled(after) && !isCancelled(current)
  const isRaised = isNewlyCancelled || isRetimed(current, after) || hasNewRule(current, after)
  return current.sequence + Number(isRaised)
}

function changeAsOrganizer(world: World, current: Record_, after: Record_, given: Body['attendees']): Record_ {
  const attendees = resolveResponses(world, current, after, current.calendarId, given)
  const resolved = marked(world, current, { ...after, attendees })
  const master = masterOf(world, current)
  if (!master) return saveIfChanged(world, current, resolved)
  // A stricter visibility is written to the series; a laxer one is ignored (behaviour 4.5.2).
  const { visibility } = after.visibility === 'private' ? after : master
  if (visibility !== master.visibility) save(world, compact({ ...master, visibility } as Record_))
  const now = find(world, current.calendarId, current.id) ?? current
  return saveIfChanged(world, now, compact({ ...resolved, visibility } as Record_))
}

/**
 * Returns the attendees with their responses after a write. A new time resets all responses; an attendee that the
 * body names without a response is reset too (behaviour 7.2, 7.10). Only the guest changes a response of an account.
 */
function resolveResponses(world: World, current: Record_, after: Record_, by: string, given: Body['attendees'] = []) {
  return after.attendees.map((one): Attendee => {
    const previous = attendeeIn(current, one.email)
    if (one.email === by || one.email === current.calendarId) return one
    if (isRetimed(current, after)) return { ...one, responseStatus: 'needsAction' }
    if (!previous || !world.accounts.includes(one.email)) return one
    const isReset = given.some(({ email, responseStatus }) => email === one.email && !responseStatus)
    return isReset ? { ...one, responseStatus: 'needsAction' } : { ...one, responseStatus: previous.responseStatus }
  })
}

/** Returns a record, marked if it is an instance that is cancelled now while its series is live. */
function marked(world: World, current: Record_, after: Record_): Record_ {
  const master = masterOf(world, current)
  const isAlone = isCancelled(after) && !isCancelled(current) && master && !isCancelled(master)
  return isAlone ? { ...after, isCancelledAlone: true } : after
}

/** Returns the organizer's event of a copy, if the organizer has a calendar here. */
function organizerEventOf(world: World, { id, iCalUID, organizer, privateCopy }: Record_): Record_ | undefined {
  if (!organizer || privateCopy || !world.calendars.some((one) => one.id === organizer.email)) return undefined
  const event = find(world, organizer.email, id)
  return event && event.iCalUID === iCalUID && !isTombstone(event) ? event : undefined
}

const SHARED = ['summary', 'description', 'location', 'start', 'end', 'recurrence']
const OWN = ['colorId', 'eventLabelId', 'transparency', 'visibility', 'extendedProperties']
/**
 * A guest's response and added guests reach the organizer, with `guestsCanModify` the rest too (behaviour 7.3). `reminders`
 * are those of the guest, which one write stores with the rest.
 */
function changeAsGuest(world: World, current: Record_, after: Record_, reminders: Reminders | undefined): Record_ {
  const me = current.calendarId
  const added = after.attendees.filter(({ email }) => email !== me && !attendeeIn(current, email))
  const isForbidden = ['guestsCanModify', 'guestsCanInviteOthers'].some((right) => current[right] !== after[right])
  if (isForbidden) throwError(403, 'forbiddenForNonOrganizer')
  if (isCancelled(after) && !isCancelled(current)) return decline(world, current)
  if (added.length > 0 && current.guestsCanInviteOthers === false) throwError(403, 'forbiddenForNonOrganizer')
  const changed = [...SHARED, ...OWN].filter((field) => !same(current[field], after[field]))
  const event = organizerEventOf(world, current)
  if (event) {
    const modified = current.guestsCanModify ? changed.filter((field) => SHARED.includes(field)) : []
    const next: Record_ = { ...event, ...pick(after, modified) }
    const { shared } = after.extendedProperties ?? {}
    if (!same(current.extendedProperties?.shared, shared))
      next.extendedProperties = { private: event.extendedProperties?.private, shared }
    const mine = attendeeIn(after, me)
    next.attendees = [
      ...event.attendees.map((one) => (mine && one.email === me ? { ...one, ...mine, written: one.written } : one)),
      ...added,
    ]
    if (mine && !attendeeIn(event, me)) next.attendees.push(mine)
    next.sequence = sequenceAfter(event, next)
    next.attendees = resolveResponses(world, event, next, me)
    saveIfChanged(world, event, compact(next))
  }
  const copy = find(world, me, current.id) ?? current
  const attendees = event ? copy.attendees : after.attendees
  const own = compact({ ...copy, ...pick(after, changed), attendees, status: after.status })
  if (reminders && !same(storedReminders(me, own, reminders), remindersOf(world, me, copy)))
    own.reminders = { ...own.reminders, [me]: reminders }
  const saved = saveIfChanged(world, copy, own)
  for (const exception of isCancelled(current) && !isCancelled(saved) ? exceptionsOf(world, saved) : []) {
    const { status } = (isCancelled(exception) && organizerEventOf(world, exception)) || exception
    if (status !== 'cancelled' && isCancelled(exception)) save(world, { ...exception, status })
  }
  return findRecord(world, me, current.id) ?? saved
}

/** A guest deletes their copy, which declines the invitation: for a series, every instance of it (behaviour 7.4). */
function decline(world: World, copy: Record_): Record_ {
  const me = copy.calendarId
  save(world, marked(world, copy, { ...copy, status: 'cancelled' }))
  const event = organizerEventOf(world, copy)
  for (const one of event ? [event, ...exceptionsOf(world, event)] : []) {
    const now = find(world, one.calendarId, one.id) ?? one
    if (isTombstone(now) || !guestsOf(world, now).includes(me)) continue
    const respond = (a: Attendee): Attendee => (a.email === me ? { ...a, responseStatus: 'declined' } : a)
    saveIfChanged(world, now, { ...now, attendees: now.attendees.map(respond) })
  }
  return find(world, me, copy.id) ?? copy
}

/** The organizer deletes the event for all guests, a guest their own copy (behaviour 7.4). */
function cancel(world: World, event: Record_): void {
  const sequence = event.sequence + 1
  if (!isOrganizerCopy(event)) decline(world, event)
  else save(world, marked(world, event, { ...event, status: 'cancelled', sequence }))
}

/** Throws 403, 404, and 410 for a deleted event. */
export function remove(world: World, account: string, calendarId: string, id: string): undefined {
  const current = requireWritable(world, account, calendarId, id)
  if (isCancelled(current)) throwError(410, 'deleted')
  cancel(world, current)
}

/** Deletes all events, series first, each as by `remove`. Skips those that an earlier deletion cancelled. */
function cancelAll(world: World, calendarId: string): void {
  const records = recordsOn(world, calendarId)
  for (const { id } of [...records.filter((r) => !r.recurringEventId), ...records.filter((r) => r.recurringEventId)]) {
    const event = findRecord(world, calendarId, id)
    if (event && !isCancelled(event)) cancel(world, event)
  }
}

/** Throws 403, 404, and 400 for a secondary calendar. */
export function clear(world: World, account: string, calendarId: string): undefined {
  const { calendar } = access(world, account, calendarId, 'owner')
  if (!calendar.primary) throwError(400, 'invalid')
  cancelAll(world, calendar.id)
}

/** Replaces a calendar. Its labels stay without `labels` (behaviour 3.2.18.1). Throws 403, 404. */
export function putCalendar(world: World, account: string, calendarId: string, labels: Label[] | undefined): Label[] {
  const { calendar } = access(world, account, calendarId, 'owner')
  if (labels) calendar.labels = labels
  return labelsOf(world, calendar.id)
}

/** Throws 404, and 403 for a primary calendar and for a caller who is not the data owner. */
export function deleteCalendar(world: World, account: string, calendarId: string): undefined {
  const { calendar } = access(world, account, calendarId, 'owner')
  if (calendar.primary) throwError(403, 'cannotDeletePrimaryCalendar')
  if (calendar.dataOwner !== account) throwError(403, 'forbidden')
  cancelAll(world, calendar.id)
  calendar.deleted = true // the copies of the guests still refer to its events
}

/** Moves an event to a calendar that organizes it from then on. Returns the source's copy (behaviour 7.7). */
export function move(world: World, account: string, calendarId: string, id: string, destinationId: string): Record_ {
  const event = requireWritable(world, account, calendarId, id)
  const { calendar: destination } = access(world, account, destinationId, 'writer')
  const [source, organizer] = [event.calendarId, organizerOf(destination)]
  if (event.recurringEventId) throwError(400, 'cannotChangeOrganizerOfInstance')
  if (isTombstone(event)) throwError(404, 'notFound')
  if (!isOrganizerCopy(event)) throwError(403, 'forbiddenForNonOrganizer')
  if (source === destination.id) return event
  const existing = findRecord(world, destination.id, id)
  const isReplaced = !existing || isTombstone(existing) || existing.organizer?.email === source
  if (!isReplaced || (existing && existing.iCalUID !== event.iCalUID)) throwError(409, 'duplicate')
  const isInvited = (one: Record_, email: string) => attendeeIn(one, email) && world.accounts.includes(email)
  const isKept = (one: Record_) => one.calendarId === destination.id || isInvited(one, one.calendarId)
  const toCopy = (one: Record_): Record_ => ({ ...one, organizer, status: isKept(one) ? one.status : 'cancelled' })
  const moved = [...exceptionsOf(world, event), event]
  for (const one of moved) save(world, isInvited(event, source) ? toCopy(one) : tombstoneOf(one))
  for (const one of moved) {
    const owner = reminderOwner(world, destination.id, one.creator)
    const reminders = one.recurringEventId
      ? one.reminders
      : { [owner]: isAllDay(one.start) ? { useDefault: false } : DEFAULTS_IN_USE, ...one.reminders }
    save(world, { ...one, calendarId: destination.id, organizer, reminders })
  }
  for (const email of [destination.id, ...guestsOf(world, event)])
    for (const one of exceptionsOf(world, { calendarId: email, id }))
      if (one.organizer?.email === source) save(world, toCopy(one))
  return { ...event, status: 'cancelled', organizer }
}

/** Returns the id of an import: `_` and the base32hex of its UID (behaviour 3.2.5). */
export function importedId(uid: string): string {
  const bits = [...Buffer.from(uid)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = bits.match(/.{1,5}/g) ?? []
  return `_${digits.map((digit) => Number.parseInt(digit.padEnd(5, '0'), 2).toString(32)).join('')}`
}

/** Imports a private copy of an event that is organized elsewhere, or updates it (behaviour 7.8). Throws 400, 403, 404. */
export function importEvent(world: World, account: string, calendarId: string, body: Body): Record_ {
  const { calendar } = access(world, account, calendarId, 'writer')
  const { iCalUID = '', organizer = { email: '' }, sequence: given = 0 } = body
  const id = importedId(iCalUID)
  checkSeriesId(body)
  const current = find(world, calendar.id, id)
  const { creator = account, sequence: stored = 0 } = current ?? {}
  if (!body.attendees?.some(({ email }) => email === calendar.id))
    throwError(400, 'participantIsNeitherOrganizerNorAttendee')
  if (current && !isCancelled(current) && given < stored) throwError(400, 'invalid')
  const initial = current?.reminders ?? { [reminderOwner(world, calendar.id, creator)]: DEFAULTS_IN_USE }
  const origin = { calendarId: calendar.id, id, iCalUID, creator, organizer, privateCopy: true }
  const rights = { guestsCanInviteOthers: false, guestsCanSeeOtherGuests: false }
  const composed = compose(
    world,
    { ...origin, sequence: Math.max(given, stored), reminders: {} },
    { ...body, ...rights },
  )
  const reminders = storedReminders(account, composed, readReminders(body.reminders ?? {}))
  const record = { ...composed, reminders: { ...initial, [account]: reminders } }
  return saveIfChanged(world, current ?? ({} as Record_), record)
}
