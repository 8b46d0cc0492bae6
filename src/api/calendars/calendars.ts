import { commitWrites } from '../../effects/write/commit.ts'
import { planClear } from '../../effects/write/plan.ts'
import { WritePlan } from '../../effects/write/writePlan.ts'
import { isPrimary, requireMatch } from '../../model/access.ts'
import { readLabels } from '../../model/events/fieldValues.ts'
import { digest } from '../../model/ids.ts'
import type { Caller, StoredCalendar, WorldData } from '../../model/worldData.ts'
import { isZone } from '../../recurrence/zone.ts'
import { apiError, throwApiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { Calendar, CalendarBody } from '../../schema/calendar.ts'
import type { WithoutNulls } from '../../schema/jsonSchema.ts'
import { addressOf } from '../../schema/values/address.ts'
import { isEqual, mergePatch, without } from '../../schema/values/json.ts'
import { addOwnerRule } from '../acl/rules.ts'
import { addEntry, removeEntries } from '../calendarListEntry.ts'
import type { Call, UpdateMode } from '../endpoint.ts'

/** The fields of a calendar that only a seed sets (behaviour 15.14). */
type Seeded = { autoAcceptInvitations?: boolean | null | undefined }
type CalendarDraft = WithoutNulls<CalendarBody & Seeded>
export type NewCalendar = CalendarDraft & { id: string; summary: string; dataOwner?: string | undefined }

/**
 * The etag is opaque, has 27 URL-safe characters, and changes with every write (behaviour 3.10). The stored etag is the
 * revision number of the last write.
 */
export const showCalendar = (calendar: StoredCalendar): Calendar => ({ ...calendar, etag: shownEtagOf(calendar) })

/** Hides the revision (behaviour 3.2.6). */
const shownEtagOf = ({ id, etag }: StoredCalendar): string => `"${digest(`${id} ${etag}`, 'sha1')}"`

/** Adds it to the caller's list (behaviour 3.4.2). Throws `forbidden` without an account, and errors of its fields. */
export function insertCalendar(world: WorldData, caller: Caller, body: CalendarBody): Calendar {
  const dataOwner = caller.email ?? throwApiError('forbidden')
  const draft: CalendarDraft = mergePatch({}, body)
  const summary = draft.summary || throwApiError('missingSummary')
  checkTexts(draft)
  const calendar = addCalendar(world, {
    ...draft,
    summary,
    id: world.ids.calendarId(world.accounts.get(dataOwner)?.kind),
    dataOwner,
  })
  if (caller.client !== undefined) world.creatorClients.set(calendar.id, caller.client)
  addOwnerRule(world, calendar.id, dataOwner)
  addEntry(world, dataOwner, { id: calendar.id, selected: true })
  return showCalendar(calendar)
}

/** Adds no access rule and no list entry, and does not check text lengths. Throws for other invalid values. */
export function addCalendar(world: WorldData, { id, timeZone = 'UTC', ...draft }: NewCalendar): StoredCalendar {
  const calendar = composeCalendar(world, id, { timeZone, ...draft })
  return saveCalendar(world, id, calendar)
}

export function updateCalendar(
  world: WorldData,
  calendar: StoredCalendar,
  body: CalendarBody,
  how: UpdateMode,
  ifMatch: string | undefined,
): Calendar {
  requireMatch(shownEtagOf(calendar), ifMatch)
  checkTexts(body)
  return showCalendar(changeCalendar(world, calendar, body, how))
}

/**
 * Does not check text lengths, because seeds have no limits. An `update` (PUT) keeps the time zone, conference
 * properties, labels and working hours that the body omits. Returns the same object, without a write, if nothing changes.
 */
export function changeCalendar(
  world: WorldData,
  calendar: StoredCalendar,
  body: CalendarBody & Seeded,
  how: UpdateMode,
): StoredCalendar {
  const { timeZone, dataOwner, conferenceProperties, autoAcceptInvitations, workingHours } = calendar
  const kept = { timeZone, conferenceProperties, autoAcceptInvitations, workingHours }
  const base = how === 'patch' ? calendar : kept
  const draft: CalendarDraft = mergePatch(base, body)
  const summary = draft.summary || throwApiError('missingSummary')
  const composed = composeCalendar(world, calendar.id, {
    ...draft,
    ...(how === 'update' && !body.labelProperties && { labelProperties: calendar.labelProperties }),
    workingHours: hasHours(body.workingHours) ? mergePatch({}, body).workingHours : workingHours,
    timeZone: draft.timeZone ?? timeZone,
    summary,
    dataOwner,
  })
  const current = without(calendar, 'kind', 'etag', 'id')
  return isEqual(current, composed) ? calendar : saveCalendar(world, calendar.id, composed)
}

/** `null` and `{}` do not replace the stored ones (behaviour 15.19). */
const hasHours = (hours: CalendarBody['workingHours']): boolean =>
  Object.values(hours ?? {}).some((value) => value !== undefined && value !== null)

type ComposedCalendar = Omit<StoredCalendar, 'kind' | 'etag' | 'id'>

function composeCalendar(
  world: WorldData,
  id: string,
  { timeZone, ...draft }: CalendarDraft & { summary: string; timeZone: string; dataOwner?: string | undefined },
): ComposedCalendar {
  if (!isZone(timeZone)) throwInvalidValue('timeZone', `no time zone ${timeZone}`)
  const labelProperties = readLabels(draft.labelProperties, () => world.ids.labelId())
  return {
    summary: draft.summary,
    ...(draft.description && { description: draft.description }),
    ...(draft.location && { location: draft.location }),
    timeZone,
    ...(draft.dataOwner && { dataOwner: draft.dataOwner }),
    conferenceProperties: {
      allowedConferenceSolutionTypes: draft.conferenceProperties?.allowedConferenceSolutionTypes ?? ['hangoutsMeet'],
    },
    ...(labelProperties && { labelProperties }),
    ...(draft.workingHours && { workingHours: readWorkingHours(world, id, draft.workingHours) }),
    ...(draft.autoAcceptInvitations !== undefined && { autoAcceptInvitations: draft.autoAcceptInvitations }),
  }
}

/** The longest texts of a calendar, in characters (behaviour 12.4, 14.23). */
const MAX_TEXT_LENGTHS = { summary: 1024, description: 8192, location: 1024 } as const

function checkTexts({ summary, description, location }: CalendarBody): void {
  if ((summary?.length ?? 0) > MAX_TEXT_LENGTHS.summary) throw apiError('fieldTooLong')
  for (const [field, text] of Object.entries({ description, location }))
    if ((text?.length ?? 0) > MAX_TEXT_LENGTHS[field as keyof typeof MAX_TEXT_LENGTHS])
      throwInvalidValue(field, 'longer than the allowed size limit')
}

/** Throws `invalidValue` for an unknown zone. An empty name is unknown too (behaviour 13.2.1). */
export function requireZone(timeZone: string | undefined): void {
  if (timeZone !== undefined && !isZone(timeZone)) throwInvalidValue('timeZone', `no time zone ${timeZone}`)
}

const saveCalendar = (world: WorldData, id: string, calendar: ComposedCalendar): StoredCalendar =>
  world.calendars.put(id, (revision) => ({ kind: 'calendar#calendar', etag: `"${revision}"`, id, ...calendar }))

/** Its id stays taken. Throws for a primary calendar, callers but the data owner (behaviour 15.9.1), a stale etag. */
export function deleteCalendar(
  world: WorldData,
  calendar: StoredCalendar,
  { caller, ifMatch }: Pick<Call, 'caller' | 'ifMatch'>,
): void {
  if (isPrimary(world, calendar.id)) throw apiError('cannotDeletePrimaryCalendar')
  if (calendar.dataOwner !== caller.email) throw apiError('forbidden') // behaviour 14.25
  requireMatch(shownEtagOf(calendar), ifMatch)
  clearEvents(world, calendar.id)
  world.calendars.put(calendar.id, (revision) => ({ ...calendar, etag: `"${revision}"`, deleted: true }))
  removeEntries(world, calendar.id)
}

/**
 * Deletes every event of a primary calendar. A list with an earlier sync token returns the deletions (behaviour 15.10,
 * 14.26). Throws for a secondary calendar.
 */
export function clearCalendar(world: WorldData, calendar: StoredCalendar): void {
  if (!isPrimary(world, calendar.id)) throw apiError('cannotClearSecondaryCalendar')
  clearEvents(world, calendar.id)
}

/** Its own events are cancelled on the guests' calendars too, and invitations are declined. Sends no mail. */
function clearEvents(world: WorldData, calendarId: string): void {
  const plan = new WritePlan(world)
  planClear(plan, calendarId)
  commitWrites(plan)
}

/**
 * Makes another account the data owner of a secondary calendar, as an administrator of a Workspace (behaviour 15.8). The
 * previous data owner keeps the role `owner`. Does nothing if the account is the data owner already. Throws `invalidQuery`
 * without `useAdminAccess`, `forbidden` for other callers, `notFound`, and `cannotTransfer` for a primary calendar and for
 * an unknown account.
 */
export function transferOwnership(
  world: WorldData,
  caller: Caller,
  { calendarId, newDataOwner, useAdminAccess }: { calendarId: string; newDataOwner: string; useAdminAccess: boolean },
): void {
  if (!useAdminAccess) throw apiError('invalidQuery', { location: 'useAdminAccess' })
  if (!world.accounts.get(caller.email ?? '')?.admin) throw apiError('forbidden')
  const calendar = world.calendars.get(calendarId === 'primary' ? (caller.email ?? '') : addressOf(calendarId))
  if (!calendar || calendar.deleted) throw apiError('notFound')
  const newOwner = addressOf(newDataOwner)
  if (isPrimary(world, calendar.id))
    throw apiError('cannotTransfer', { problem: 'a primary calendar stays with its account' })
  if (!world.accounts.get(newOwner)) throw apiError('cannotTransfer', { problem: `there is no account ${newOwner}` })
  if (newOwner === calendar.dataOwner) return
  world.calendars.put(calendar.id, (revision) => ({ ...calendar, etag: `"${revision}"`, dataOwner: newOwner }))
  addOwnerRule(world, calendar.id, newOwner)
  const entry = world.lists.of(newOwner).get(calendar.id)
  if (!entry || entry.deleted) addEntry(world, newOwner, { id: calendar.id, selected: true })
}

type WorkingHours = NonNullable<WithoutNulls<CalendarBody>['workingHours']>

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const MINUTES = 24 * 60

/**
 * Throws `invalidValue` for an unknown day, for an empty or impossible period, and unless the calendar is the primary
 * calendar of a Workspace account (behaviour 15.19).
 */
export function readWorkingHours(world: WorldData, calendarId: string, given: WorkingHours): WorkingHours {
  const invalid = (problem: string) => throwInvalidValue('workingHours', problem)
  if (world.accounts.get(calendarId)?.kind !== 'workspace')
    invalid('only the primary calendar of a Workspace account has any')
  const availableTimes = given.availableTimes?.map(({ dayOfWeek = '', periodStart = 0, periodEnd = MINUTES }) => {
    if (!DAYS.includes(dayOfWeek.toLowerCase())) invalid(`no day ${dayOfWeek}`)
    if (periodStart < 0 || periodEnd > MINUTES || periodEnd <= periodStart)
      invalid(`no period from ${periodStart} to ${periodEnd}`)
    return { dayOfWeek, periodStart, periodEnd }
  })
  const workingHoursEnabled = given.workingHoursEnabled ?? false
  if (workingHoursEnabled && !availableTimes?.length) invalid('enabled hours need availableTimes')
  return { workingHoursEnabled, ...(availableTimes?.length && { availableTimes }) }
}
