import { z } from 'zod'
import { LATEST } from '../../recurrence/moments.ts'
import { openSeries } from '../../recurrence/series.ts'
import { isZone, wallTimeAt } from '../../recurrence/zone.ts'
import { aclRule } from '../aclRule.ts'
import { calendar } from '../calendar.ts'
import { calendarListEntry } from '../calendarListEntry.ts'
import { event, eventReminder, wholeAttendee } from '../event.ts'
import { isDate } from '../params.ts'
import { ROLES, SCOPE_TYPES } from '../roles.ts'
import { setting } from '../setting.ts'
import { channelSeed, ownReminders, seedShape } from './shape.ts'

/** What a world says of itself, record for record as it stores them: unlike a seed nothing of it is read, defaulted or drawn. */
const text = z.string()
const name = z.string().min(1)
const zone = z.string().refine(isZone, 'no time zone')
/** The revision of a write: microseconds up to the year 2200, the last that a clock shows, and some writes more. */
const revision = z
  .int()
  .min(0)
  .max(Date.UTC(2201, 0, 1) * 1000)
const etag = z.string().regex(/^"\d{1,20}"$/, 'not an etag of this kind')
const INSTANT = /^([+-]\d\d)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const instant = z.string().refine((said) => INSTANT.test(said) && !Number.isNaN(Date.parse(said)), 'not an instant')
const date = z.string().refine(isDate, 'not a date')
const time = z.union([z.strictObject({ dateTime: instant, timeZone: zone }), z.strictObject({ date })])

const storedEvent = event
  .extend({
    ...{ id: name, kind: text, htmlLink: text, iCalUID: text },
    etag: etag.refine((said) => Number(said.slice(1, -1)) % 2 === 0, 'not an etag of an event'),
    status: z.enum(['confirmed', 'tentative', 'cancelled']),
    updated: z.iso.datetime(),
    created: z.string().optional(),
    ...{ start: time, end: time, originalStartTime: time.optional() },
    recurrence: z.array(text).min(1).optional(),
    attendees: z.array(wholeAttendee.extend({ email: name }).strict()).optional(),
    reminders: z
      .strictObject({
        useDefault: z.boolean().optional(),
        overrides: z.array(eventReminder.extend({ method: text, minutes: z.int() }).strict()).optional(),
      })
      .optional(),
  })
  .strict()
  .superRefine(({ start, end, recurrence }, context) => {
    const fault = 'date' in start === 'date' in end ? seriesFault(start, recurrence) : 'end: not of the kind of start'
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })

function seriesFault(start: z.output<typeof time>, recurrence: string[] | undefined): string | undefined {
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
    return 'recurrence: not a series' // or its start is none, which has been said
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
    /** Of series, when they began, and what they were before the writes that sync tokens still reach behind. */
    series: z
      .array(
        z.strictObject({
          id: name,
          born: revision,
          former: z.array(z.strictObject({ until: revision, event: storedEvent })).optional(),
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

const storedAccount = z.strictObject({
  email: z.email(),
  displayName: name.optional(),
  timeZone: zone.optional(),
  kind: z.enum(['consumer', 'workspace']).optional(),
  showDisplayName: z.boolean().optional(),
  reminders: z.array(ownReminders).optional(),
  settings: z.array(setting.extend({ id: name, kind: text, etag, value: text }).strict()).optional(),
  calendarList: z.array(storedEntry).optional(),
})

const life = { line: name, number: z.int().min(0) }
export const counters = z.strictObject({
  revision,
  forgotten: revision,
  ids: z
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  /** Which life the world was in, and the former ones whose tokens it took. */
  life: z.strictObject({
    ...life,
    former: z.array(
      z.strictObject({
        ...life,
        until: z
          .int()
          .min(-1)
          .max(revision.maxValue ?? 0),
      }),
    ),
  }),
})

/** A channel that is opened at the end of the time of clocks ends up to a month after it. */
const LATEST_END = LATEST + 30 * 24 * 3_600_000

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
    anchor: z.undefined().optional(),
  })
  .superRefine(({ accounts = [], calendars = [], counters }, context) => {
    const fault = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
    const check = (records: readonly { id: string; etag: string }[], path: PropertyKey[], factor = 1) => {
      const ids = new Set<string>()
      for (const [at, { id, etag }] of records.entries()) {
        if (ids.has(id)) fault([...path, at, 'id'], `there are two of ${id}`)
        ids.add(id)
        if (Number(etag.slice(1, -1)) / factor > counters.revision)
          fault([...path, at, 'etag'], 'later than the counters say')
      }
    }
    check(calendars, ['calendars'])
    for (const [at, { acl = [], events = [] }] of calendars.entries()) {
      check(acl, ['calendars', at, 'acl'])
      check(events, ['calendars', at, 'events'], 2)
    }
    for (const [at, { calendarList = [], settings = [] }] of accounts.entries()) {
      check(calendarList, ['accounts', at, 'calendarList'])
      check(settings, ['accounts', at, 'settings'])
    }
  })

/**
 * A state, to the letter. What a request may say in several ways a world has written in one: where reading changes a
 * value, no world wrote it.
 */
export const state = z.unknown().transform((data, context): z.output<typeof shape> => {
  const read = shape.safeParse(data)
  const path = read.success ? changedAt(data, read.data, []) : undefined
  if (read.success && !path) return structuredClone(data) as z.output<typeof shape>
  if (path) context.addIssue({ code: 'custom', path, message: 'not as a world writes it' })
  else context.issues.push(...((read.error?.issues ?? []) as typeof context.issues))
  return z.NEVER
})

/** Where a value was read as another, or is none: nothing in a world is `null`. */
function changedAt(said: unknown, read: unknown, path: PropertyKey[]): PropertyKey[] | undefined {
  if (typeof said !== 'object' || said === null) return said === read && said !== null ? undefined : path
  const parts = new Map(Object.entries(read as object))
  for (const [name, value] of Object.entries(said)) {
    const found = changedAt(value, parts.get(name), [...path, Array.isArray(said) ? Number(name) : name])
    if (found) return found
  }
  return undefined
}
