import { digest } from '../../model/ids.ts'
import { isZone } from '../../recurrence/zone.ts'
import { addressOf } from '../../schema/values/address.ts'
import { formatPath, type IssuePath } from '../../schema/values/issues.ts'
import { applySeed } from '../applySeed.ts'
import type { Seed, SeedCalendar } from '../schema/seed.ts'
import { SeedError } from '../seedError.ts'
import { openTrialWorld, skipRejected } from '../trialWorld.ts'
import { assembleEvents, type FileEvent, type ParsedEvent, type UidGroup } from './assembly.ts'
import { decodeText } from './decode.ts'
import type { Remark, Report } from './remarks.ts'
import { type Component, findProperty, findText, findWord, readComponents } from './syntax.ts'
import { describeUnknownZone, type ReadContext, Zones } from './zones.ts'

export type ICalendarOptions = {
  /** The default is the address in X-WR-CALNAME, or `alice@example.com`. A guest of events that others organize. */
  owner?: string | undefined
  /**
   * `primary`, the id of a secondary calendar (it contains `@`), or the name of one. By default the primary calendar of
   * `owner`; without both, a secondary calendar named by X-WR-CALNAME.
   */
  calendar?: string | undefined
  name?: string | undefined
  timeZone?: string | undefined
  /** `ignore` skips alarms, so that the calendar's default reminders apply. */
  alarms?: 'ignore' | 'read' | undefined
}

/** The `report` lists omitted and changed content. It is not enumerable, so that it is not part of the seed. */
export type ICalendarSeed = Seed & { readonly report: readonly Remark[] }

/** The world or the seeds to which a file is added. */
export type ImportContext = {
  /** The address of the owner, or the name of a new calendar. */
  fileName?: string
  /** The first of them is the owner, unless another address is given. */
  accounts?: readonly string[]
  calendars?: readonly { id: string; summary?: string | null | undefined; owner?: string | null | undefined }[]
  timeZoneOf?: (account: string) => string | undefined
  eventExists?: (calendarId: string, eventId: string) => boolean
}

type CreateReport = (uid: string | undefined) => Report

const EMAIL = /^[^\s@]+@[^\s@]+$/
const MESSAGE_METHOD = /^(REPLY|CANCEL|COUNTER|DECLINECOUNTER|REFRESH)$/

/**
 * Reads a file. If the option `calendar` is missing, the calendar is a new one. An event that the service cannot
 * hold, or that exists, is left out and reported. Throws a RangeError for text that is not iCalendar, and for an
 * invalid option, with its name.
 */
export function readICalendar(
  text: string | Uint8Array,
  options: ICalendarOptions = {},
  known: ImportContext = {},
): ICalendarSeed {
  checkICalendarOptions(text, options)
  const remarks: Remark[] = []
  const createReport: CreateReport = (uid) => (line, reason) => {
    remarks.push({ ...(uid !== undefined && { uid }), line, reason })
  }
  const report = createReport(undefined)
  const calendars = requireCalendars(typeof text === 'string' ? text : decodeText(text, report), report)
  const [first] = calendars
  const { owner, about } = resolveTargetCalendar(options, first && findText(first, 'x-wr-calname'), known)
  const timeZone = options.timeZone ?? known.timeZoneOf?.(owner)
  const calendarId = addressOf(about.id)
  const files = calendars.map((component) => {
    const zones = new Zones(component, timeZone ?? 'UTC')
    return { component, context: { zones, owner, calendar: calendarId, alarms: options.alarms !== 'ignore', report } }
  })
  const isPrimary = calendarId === owner
  const zone = files[0]?.context.zones.named ?? timeZone
  const description = first && !isPrimary && findText(first, 'x-wr-caldesc')
  const groups = [...groupByUid(files, createReport)]
  const events = groups.flatMap((group) => {
    const parsed = assembleEvents(group)
    const existing = parsed.find(({ event }) => event.id && known.eventExists?.(calendarId, event.id))
    if (!existing) return parsed.map((one) => ({ ...one, report: group.report }))
    const reason = 'the event was left out, because the calendar already has an event with this UID'
    group.report(existing.line, `${reason}; delete that event first, or change the UID`)
    return []
  })
  Object.assign(about, { ...(description && { description }), ...(zone && { timeZone: zone }) })
  about.events = events.map(({ event }) => event)
  const seed: Seed = { accounts: [{ email: owner, ...(zone && isPrimary && { timeZone: zone }) }], calendars: [about] }
  removeRejectedEvents(seed, about, events)
  remarks.sort((a, b) => a.line - b.line)
  return Object.defineProperty(seed, 'report', { value: remarks, enumerable: false }) as ICalendarSeed
}

function resolveTargetCalendar(
  { owner: given, calendar, name }: ICalendarOptions,
  calname: string | undefined,
  { fileName = 'Imported calendar', accounts = [], calendars = [] }: ImportContext,
): { owner: string; about: SeedCalendar } {
  const addresses = [given, fileName, calname, ...accounts, 'alice@example.com']
  const owner = addressOf(addresses.find((one) => one !== undefined && EMAIL.test(one)) ?? '')
  const title = calname === undefined || EMAIL.test(calname) ? undefined : calname
  const create = (id: string, summary?: string) => ({
    owner,
    about: { id, ...(addressOf(id) !== owner && { owner }), ...(summary && { summary }) },
  })
  if (calendar === undefined) {
    const ids = calendars.map(({ id }) => id)
    return create(createCalendarId(owner, title ?? fileName, ids), name ?? title ?? fileName)
  }
  if (calendar === 'primary' || addressOf(calendar) === owner) return create(owner, name)
  const existing = calendars.find(
    ({ id, summary, owner: by }) =>
      addressOf(id) === addressOf(calendar) || (summary === calendar && addressOf(by ?? '') === owner),
  )
  if (existing) return create(existing.id, name)
  return calendar.includes('@')
    ? create(calendar, name ?? title)
    : create(createCalendarId(owner, calendar), name ?? calendar)
}

/** Equal owners and names give equal ids, unless one is taken. */
function createCalendarId(owner: string, name: string, taken: readonly string[] = []): string {
  const create = (text: string) => `c_${digest(`${owner}\n${text}`, 'sha1')}@group.calendar.google.com`
  let id = create(name)
  for (let nth = 2; taken.includes(id); nth++) id = create(`${name} ${nth}`)
  return id
}

function checkICalendarOptions(text: string | Uint8Array, options: ICalendarOptions): void {
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
    throw new TypeError('text: expected a string or the bytes of a file')
  }
  const { owner, calendar, name, timeZone, alarms = 'read' } = options
  const problems: [isWrong: boolean, message: string][] = [
    [owner !== undefined && !EMAIL.test(`${owner}`), `owner: not an e-mail address: ${owner}`],
    [calendar?.trim() === '', 'calendar: it is empty'],
    [name?.trim() === '', 'name: it is empty'],
    [timeZone !== undefined && !isZone(timeZone), `timeZone: no time zone: ${timeZone}`],
    [!['ignore', 'read'].includes(alarms), `alarms: ${alarms} (expected ignore or read)`],
  ]
  const problem = problems.find(([isWrong]) => isWrong)
  if (problem) throw new RangeError(problem[1])
}

/** Events outside of any VCALENDAR are a calendar too. A message about a meeting is none. */
function requireCalendars(text: string, report: Report): Component[] {
  const root = readComponents(text, report)
  const loose = root.components.some(({ name }) => name === 'VEVENT') ? [root] : []
  const found = [...root.components.filter(({ name }) => name === 'VCALENDAR'), ...loose]
  if (found.length === 0) throw new RangeError('text: not iCalendar: it has no line BEGIN:VCALENDAR')
  const [message] = found.filter((calendar) => MESSAGE_METHOD.test(findWord(calendar, 'method')))
  if (!message) return found
  const calendars = found.filter((calendar) => !MESSAGE_METHOD.test(findWord(calendar, 'method')))
  const method = `METHOD:${findWord(message, 'method')}`
  if (calendars.length === 0) throw new RangeError(`text: ${method} is a message about a meeting, not a calendar`)
  const reason = `the calendar was left out, because ${method} makes it a message about a meeting`
  report(message.line, `${reason}; remove METHOD to read its events`)
  return calendars
}

function groupByUid(
  files: readonly { component: Component; context: ReadContext }[],
  createReport: CreateReport,
): Iterable<UidGroup> {
  const groups = new Map<string, UidGroup>()
  const made = new Map<string, number>()
  for (const { component, context } of files) {
    const zone = findProperty(component, 'x-wr-timezone')
    if (zone?.value.trim() && context.zones.named === undefined) {
      context.report(zone.line, describeUnknownZone('X-WR-TIMEZONE', zone.value, context.zones.floating))
    }
    for (const event of component.components) {
      if (/^V(TODO|JOURNAL|FREEBUSY)$/.test(event.name)) {
        createReport(findText(event, 'uid'))(event.line, `the ${event.name} was left out, because only events are read`)
      }
      if (event.name !== 'VEVENT') continue
      const uid = findText(event, 'uid') ?? createUid(event, made)
      const group: UidGroup = groups.get(uid) ?? { uid, masters: [], exceptions: new Map(), report: createReport(uid) }
      groups.set(uid, group)
      addToGroup(group, { event, context: { ...context, report: group.report } })
    }
  }
  return groups.values()
}

/** Keeps, of two events with one UID and RECURRENCE-ID, the one with the higher SEQUENCE is used, else the later. */
function addToGroup({ masters, exceptions, report }: UidGroup, entry: FileEvent): void {
  const original = findProperty(entry.event, 'recurrence-id')
  const slot = original?.value.trim()
    ? [original.parameters.tzid, original.parameters.range, original.value.trim()].join(' ')
    : undefined
  const before = slot === undefined ? masters[0] : exceptions.get(slot)
  const isNewer = !before || readSequence(before) <= readSequence(entry)
  if (slot !== undefined) {
    if (isNewer) exceptions.set(slot, entry)
    return
  }
  if (before) {
    const { line } = before.event
    const reason = isNewer
      ? `the event is used instead of the one in line ${line}, which has the same UID`
      : `the event was left out, because the one in line ${line} has the same UID and a higher SEQUENCE`
    report(entry.event.line, `${reason}; give each event a UID of its own`)
  }
  masters.splice(isNewer ? 0 : 1, 0, entry)
}

const readSequence = ({ event }: FileEvent): number => Number.parseInt(findText(event, 'sequence') ?? '0', 10) || 0

/** Equal events of a file get different UIDs, and each run gives the same ones. `made` counts equal contents. */
function createUid({ properties }: Component, made: Map<string, number>): string {
  const text = properties
    .map(({ name, parameters, value }) => JSON.stringify([name, ...Object.entries(parameters), value]))
    .join('\n')
  const times = (made.get(text) ?? 0) + 1
  made.set(text, times)
  return `${digest(`${text}${times > 1 ? times : ''}`, 'sha1')}@fake-calendar`
}

function removeRejectedEvents(
  seed: Seed,
  calendar: SeedCalendar,
  events: readonly (ParsedEvent & { report: Report })[],
) {
  const rejected = new Set<unknown>()
  const world = openTrialWorld()
  const rejectEvent = (path: IssuePath, reason: string) => {
    const one = path[2] === 'events' ? events[Number(path[3])] : undefined
    if (!one) throw new SeedError(`${formatPath(path)}: ${reason}`)
    one.report(one.line, `the event was left out, because the service rejects it: ${reason}`)
    rejected.add(one.event)
  }
  applySeed(world, seed, skipRejected(world, rejectEvent))
  world.clock.close()
  calendar.events = events.map(({ event }) => event).filter((event) => !rejected.has(event))
}
