import { commitWrites } from '../../effects/commit.ts'
import { planClear } from '../../effects/guestWrite.ts'
import { WritePlan } from '../../effects/propagate.ts'
import { readLabels } from '../../model/labels.ts'
import { isZone } from '../../recurrence/zone.ts'
import type { Calendar, CalendarBody } from '../../wire/calendar.ts'
import type { Solid } from '../../wire/json.ts'
import { refuse } from '../../wire/refusals.ts'
import { addressOf } from '../../wire/values/address.ts'
import { merged, same, without } from '../../wire/values/merge.ts'
import { isPrimary, requireMatch } from '../../world/access.ts'
import type { Caller, StoredCalendar, World } from '../../world/world.ts'
import { addOwnerRules, addRule } from '../acl/rules.ts'
import { addEntry, removeEntries } from '../calendarList/entry.ts'

/** What a seed may say of a calendar, and no request (behaviour 15.14). */
type Seeded = { autoAcceptInvitations?: boolean | null | undefined }
type CalendarDraft = Solid<CalendarBody & Seeded>
export type NewCalendar = CalendarDraft & { id: string; summary: string; dataOwner?: string | undefined }

/** A stored calendar has no fields that a client may not see, and is shown as it is. */
export const showCalendar = (calendar: StoredCalendar): Calendar => calendar

/** Creates a calendar of the caller's own, on their list (behaviour 3.4.2). */
export function insertCalendar(world: World, caller: Caller, body: CalendarBody): Calendar {
  const dataOwner = caller.email ?? refuse('forbidden')
  const draft: CalendarDraft = merged({}, body)
  const summary = draft.summary || refuse('missingSummary')
  checkTexts(draft)
  const calendar = addCalendar(world, { ...draft, summary, id: world.ids.calendarId(), dataOwner })
  if (caller.client !== undefined) world.makers.set(calendar.id, caller.client)
  addOwnerRules(world, calendar.id, dataOwner)
  addEntry(world, dataOwner, { id: calendar.id, selected: true })
  return calendar
}

export function addCalendar(world: World, { id, timeZone = 'UTC', ...draft }: NewCalendar): StoredCalendar {
  const calendar = composeCalendar(world, id, { timeZone, ...draft })
  world.events.of(id)
  return saveCalendar(world, id, calendar)
}

/** PUT and PATCH: a PUT keeps the time zone that it does not name, and a title is always there. */
export function updateCalendar(
  world: World,
  calendar: StoredCalendar,
  body: CalendarBody,
  how: 'patch' | 'update',
  ifMatch: string | undefined,
): Calendar {
  requireMatch(calendar.etag, ifMatch)
  checkTexts(body)
  return changeCalendar(world, calendar, body, how)
}

/** The same as a seed says it: its texts may be of any length. */
export function changeCalendar(
  world: World,
  calendar: StoredCalendar,
  body: CalendarBody & Seeded,
  how: 'patch' | 'update',
): StoredCalendar {
  const { timeZone, dataOwner, conferenceProperties, autoAcceptInvitations, workingHours } = calendar
  const base = how === 'patch' ? calendar : { timeZone, conferenceProperties, autoAcceptInvitations, workingHours }
  const draft: CalendarDraft = merged(base, { ...body, workingHours: undefined })
  const summary = draft.summary || refuse('missingSummary')
  const composed = composeCalendar(world, calendar.id, {
    ...draft,
    // Working hours are replaced whole (behaviour 15.19).
    workingHours:
      body.workingHours === undefined ? workingHours : merged({}, { workingHours: body.workingHours }).workingHours,
    timeZone: draft.timeZone ?? timeZone,
    summary,
    dataOwner,
  })
  const current = without(calendar, 'kind', 'etag', 'id')
  return same(current, composed) ? calendar : saveCalendar(world, calendar.id, composed)
}

type ComposedCalendar = Omit<StoredCalendar, 'kind' | 'etag' | 'id'>

/** The fields of a calendar in the order of a reply. */
function composeCalendar(
  world: World,
  id: string,
  { timeZone, ...draft }: CalendarDraft & { summary: string; timeZone: string; dataOwner?: string | undefined },
): ComposedCalendar {
  if (!isZone(timeZone)) refuse('invalidCalendarValue')
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

/** How long the texts of a calendar may be: as those of an event (behaviour 12.4, 14.23). */
const LONGEST = { summary: 1024, description: 8192, location: 1024 } as const

function checkTexts({ summary, description, location }: CalendarBody): void {
  if ((summary?.length ?? 0) > LONGEST.summary) refuse('calendarSummaryTooLong')
  if ((description?.length ?? 0) > LONGEST.description || (location?.length ?? 0) > LONGEST.location)
    refuse('invalidCalendarValue')
}

/** An empty name is a zone that is none, as any other (behaviour 13.2.1). */
export function requireZone(timeZone: string | undefined): void {
  if (timeZone !== undefined && !isZone(timeZone))
    refuse('invalidValue', { field: 'timeZone', problem: `no time zone ${timeZone}` })
}

const saveCalendar = (world: World, id: string, calendar: ComposedCalendar): StoredCalendar =>
  world.calendars.put(id, (revision) => ({ kind: 'calendar#calendar', etag: `"${revision}"`, id, ...calendar }))

/** A deleted calendar is gone for everybody, and its id stays taken. Its data owner alone deletes it (behaviour 15.9.1). */
export function deleteCalendar(
  world: World,
  calendar: StoredCalendar,
  caller: Caller,
  ifMatch: string | undefined,
): void {
  if (isPrimary(world, calendar.id)) refuse('cannotDeletePrimaryCalendar')
  if (calendar.dataOwner !== caller.email) refuse('forbidden') // behaviour 14.25
  requireMatch(calendar.etag, ifMatch)
  clearEvents(world, calendar.id)
  world.calendars.put(calendar.id, (revision) => ({ ...calendar, etag: `"${revision}"`, deleted: true }))
  removeEntries(world, calendar.id, () => true)
}

/** Deletes every event of a primary calendar; sync tokens stay good and tell of each (behaviour 15.10, 14.26). */
export function clearCalendar(world: World, calendar: StoredCalendar): void {
  if (!isPrimary(world, calendar.id)) refuse('cannotClearSecondaryCalendar')
  clearEvents(world, calendar.id)
}

/** Deletes every event of a calendar, as `events.delete` does. */
function clearEvents(world: World, calendarId: string): void {
  const plan = new WritePlan(world)
  planClear(plan, calendarId)
  commitWrites(plan)
}

/** Makes another account the data owner of a secondary calendar. The former one keeps the role of an owner. */
export function transferOwnership(world: World, calendar: StoredCalendar, caller: Caller, newDataOwner: string): void {
  const heir = addressOf(newDataOwner)
  if (isPrimary(world, calendar.id)) refuse('cannotTransfer', { problem: 'a primary calendar stays with its account' })
  if (calendar.dataOwner !== caller.email) refuse('cannotTransfer', { problem: 'the caller is not its data owner' })
  if (!world.accounts.get(heir)) refuse('cannotTransfer', { problem: `there is no account ${heir}` })
  if (heir === calendar.dataOwner) return
  world.calendars.put(calendar.id, (revision) => ({ ...calendar, etag: `"${revision}"`, dataOwner: heir }))
  addRule(world, calendar.id, { scope: { type: 'user', value: heir }, role: 'owner' })
  const entry = world.lists.of(heir).get(calendar.id)
  if (!entry || entry.deleted) addEntry(world, heir, { id: calendar.id, selected: true })
}

type WorkingHours = NonNullable<Solid<CalendarBody>['workingHours']>

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const MINUTES = 24 * 60

/** When somebody works: the primary calendar of a Workspace account alone says it (behaviour 15.19). */
export function readWorkingHours(world: World, calendarId: string, given: WorkingHours): WorkingHours {
  const invalid = (problem: string) => refuse('invalidValue', { field: 'workingHours', problem })
  if (world.accounts.get(calendarId)?.kind !== 'workspace')
    invalid('only the primary calendar of a Workspace account has any')
  const availableTimes = given.availableTimes?.map(({ dayOfWeek = '', periodStart = 0, periodEnd = MINUTES }) => {
    if (!DAYS.includes(dayOfWeek.toLowerCase())) invalid(`no day ${dayOfWeek}`)
    if (periodStart < 0 || periodEnd > MINUTES || periodEnd <= periodStart)
      invalid(`no period from ${periodStart} to ${periodEnd}`)
    return { dayOfWeek, periodStart, periodEnd }
  })
  return { workingHoursEnabled: given.workingHoursEnabled ?? false, ...(availableTimes && { availableTimes }) }
}
