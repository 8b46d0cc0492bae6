import { z } from 'zod'
import { readEntryPoints } from '../../model/events/conference.ts'
import { readAttachments, readGadget, readSource } from '../../model/events/fieldValues.ts'
import { MAX_INSTANT_MS } from '../../recurrence/duration.ts'
import { openSeries } from '../../recurrence/series.ts'
import { isStoredZone, wallTimeAt } from '../../recurrence/zone.ts'
import { aclRule } from '../../schema/aclRule.ts'
import { ApiError } from '../../schema/apiErrors.ts'
import { calendar } from '../../schema/calendar.ts'
import { calendarListEntry } from '../../schema/calendarListEntry.ts'
import { type Event, event, eventReminder, fullAttendee } from '../../schema/event.ts'
import { storedMail } from '../../schema/mail.ts'
import { isDate } from '../../schema/params.ts'
import { ROLES, SCOPE_TYPES } from '../../schema/roles.ts'
import { setting } from '../../schema/setting.ts'
import { parseData } from '../../schema/values/issues.ts'
import { STATE_VERSION } from '../stateVersion.ts'
import { accountSeed, channelSeed, seedShape } from './shape.ts'

const text = z.string()
const name = z.string().min(1)
const zone = z.string().refine(isStoredZone, 'no time zone')
/** Microseconds up to the year 2200, the limit of clocks, with some room for later writes. */
const revision = z
  .int()
  .min(0)
  .max(Date.UTC(2201, 0, 1) * 1000)
const etag = z.string().regex(/^"\d{1,20}"$/, 'not an etag of this kind')
const INSTANT = /^([+-]\d\d)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const instant = z.string().refine((value) => INSTANT.test(value) && !Number.isNaN(Date.parse(value)), 'not an instant')
const date = z.string().refine(isDate, 'not a date')
const time = z.union([z.strictObject({ dateTime: instant, timeZone: zone }), z.strictObject({ date })])

const WEB_LINK = /^https?:\/\//i
const webLink = z.string().regex(WEB_LINK, 'not http or https')

const storedEvent = event
  .extend({
    ...{ id: name, kind: text, htmlLink: webLink, hangoutLink: webLink.optional(), iCalUID: text },
    etag: etag.refine((value) => Number(value.slice(1, -1)) % 2 === 0, 'not an etag of an event'),
    status: z.enum(['confirmed', 'tentative', 'cancelled']),
    updated: z.iso.datetime(),
    created: z.string().optional(),
    ...{ start: time, end: time, originalStartTime: time.optional() },
    recurrence: z.array(text).min(1).optional(),
    attendees: z.array(fullAttendee.extend({ email: name }).strict()).optional(),
    reminders: z
      .strictObject({
        useDefault: z.boolean().optional(),
        overrides: z.array(eventReminder.extend({ method: text, minutes: z.int() }).strict()).optional(),
      })
      .optional(),
  })
  .strict()
  .superRefine((stored, context) => {
    const link = describeLinkProblem(stored as Links)
    if (link) context.addIssue({ code: 'custom', message: link })
    const { start, end, recurrence } = stored
    const fault =
      'date' in start === 'date' in end ? describeSeriesProblem(start, recurrence) : 'end: not of the kind of start'
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })

type Links = { [K in 'source' | 'gadget' | 'attachments' | 'conferenceData']?: Event[K] | null }

/** Pages link to the addresses, so that schemes that a write rejects would run a script. */
function describeLinkProblem({ source, gadget, attachments, conferenceData }: Links): string | undefined {
  try {
    if (source) readSource(source)
    if (gadget) readGadget(gadget)
    if (attachments) readAttachments(attachments)
    readEntryPoints(conferenceData?.entryPoints ?? [])
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
  const isWrong = attachments?.some(({ iconLink }) => iconLink && !iconLink.startsWith('https://'))
  return isWrong ? 'attachments: iconLink: not https' : undefined
}

function describeSeriesProblem(start: z.output<typeof time>, recurrence: string[] | undefined): string | undefined {
  if (!recurrence) return undefined
  try {
    openSeries(
      'date' in start
        ? { date: start.date }
        : { wall: wallTimeAt(Date.parse(start.dateTime), start.timeZone), zone: start.timeZone },
      recurrence,
    )
    return undefined
  } catch {
    return 'recurrence: not a series' // or an invalid start, which is reported already
  }
}

const storedRule = aclRule
  .extend({
    ...{ id: name, kind: text, etag },
    role: z.enum(ROLES),
    scope: z.strictObject({ type: z.enum(SCOPE_TYPES), value: text.optional() }),
  })
  .strict()
  .refine(({ id, scope: { type, value } }) => id === (type === 'default' ? type : `${type}:${value}`), {
    message: 'id: not that of the scope',
  })

const storedCalendar = calendar
  .extend({
    ...{ id: name, kind: text, etag, summary: text, timeZone: zone },
    conferenceProperties: z.strictObject({ allowedConferenceSolutionTypes: z.array(text) }),
    client: text.optional(),
    deleted: z.literal(true).optional(),
    acl: z.array(storedRule).optional(),
    events: z.array(storedEvent).optional(),
    /** Its former versions are those that valid sync tokens may refer to. */
    series: z
      .array(
        z.strictObject({
          id: name,
          createdRevision: revision,
          former: z.array(z.strictObject({ until: revision, event: storedEvent })).optional(),
          cancelledApart: z.array(name).optional(),
        }),
      )
      .optional(),
  })
  .strict()

const storedEntry = calendarListEntry
  .extend({
    ...{ id: name, kind: text, etag },
    defaultReminders: z.array(z.strictObject({ method: text, minutes: z.int() })),
  })
  .strict()

const storedAccount = accountSeed.extend({
  displayName: name.optional(),
  timeZone: zone.optional(),
  settings: z.array(setting.extend({ id: name, kind: text, etag, value: text }).strict()).optional(),
  calendarList: z.array(storedEntry).optional(),
})

const epoch = { worldId: name, resetCount: z.int().min(0) }
const until = z
  .int()
  .min(-1)
  .max(revision.maxValue ?? 0)
export const counters = z
  .strictObject({
    revision: revision.describe('The latest revision.'),
    expiredUpTo: revision.describe('Sync tokens up to this revision have expired.'),
    ids: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .describe('The state of the generator of ids.'),
    epoch: z
      .strictObject({ ...epoch, continues: z.array(z.strictObject({ ...epoch, until })) })
      .describe('The id of the world, the number of its resets, and the epochs whose tokens stay valid up to `until`.'),
    version: z
      .literal(STATE_VERSION, `the state has another version (expected ${STATE_VERSION})`)
      .describe('The version of the form of a state.'),
  })
  .describe('Only in a state, which is restored exactly. A revision is in microseconds since the epoch.')

const LATEST_END = MAX_INSTANT_MS + 30 * 24 * 3_600_000

const channel = channelSeed.extend({
  address: z.url({ protocol: /^https?$/ }),
  expiration: z.int().min(0, 'not a moment of a clock').max(LATEST_END, 'not a moment of a clock'),
})

const shape = seedShape
  .extend({
    counters,
    accounts: z.array(storedAccount).optional(),
    calendars: z.array(storedCalendar).optional(),
    channels: z.array(channel).optional(),
    mail: z.array(storedMail).optional(),
    anchor: z.undefined().optional(),
  })
  .superRefine(({ accounts = [], calendars = [], counters }, context) => {
    const addProblem = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
    /** Ids are distinct, and etags not later than the counters. Etags of events contain twice the revision (`factor`). */
    const checkRecords = (records: readonly { id: string; etag: string }[], path: PropertyKey[], factor = 1) => {
      const ids = new Set<string>()
      for (const [at, { id, etag }] of records.entries()) {
        if (ids.has(id)) addProblem([...path, at, 'id'], `there are two of ${id}`)
        ids.add(id)
        if (Number(etag.slice(1, -1)) / factor > counters.revision)
          addProblem([...path, at, 'etag'], 'later than the counters say')
      }
    }
    checkRecords(calendars, ['calendars'])
    for (const [at, { acl = [], events = [] }] of calendars.entries()) {
      checkRecords(acl, ['calendars', at, 'acl'])
      checkRecords(events, ['calendars', at, 'events'], 2)
    }
    for (const [at, { calendarList = [], settings = [] }] of accounts.entries()) {
      checkRecords(calendarList, ['accounts', at, 'calendarList'])
      checkRecords(settings, ['accounts', at, 'settings'])
    }
  })

/** A value that parsing would change was not written by a world and is rejected. */
export const state = z.unknown().transform((data, context): z.output<typeof shape> => {
  const read = parseData(shape, data)
  const path = read.success ? findChangedValue(data, read.data, []) : undefined
  if (read.success && !path) return structuredClone(data) as z.output<typeof shape>
  if (path) context.addIssue({ code: 'custom', path, message: 'not as a world writes it' })
  else context.issues.push(...((read.error?.issues ?? []) as typeof context.issues))
  return z.NEVER
})

function findChangedValue(value: unknown, read: unknown, path: PropertyKey[]): PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null) return value === read && value !== null ? undefined : path
  const parts = new Map(Object.entries(read as object))
  for (const [name, part] of Object.entries(value)) {
    const found = findChangedValue(part, parts.get(name), [...path, Array.isArray(value) ? Number(name) : name])
    if (found) return found
  }
  return undefined
}
