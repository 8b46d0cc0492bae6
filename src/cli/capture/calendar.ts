import { isPublicCalendar } from '../../api/calendars/publicCalendars.ts'
import type { SeedCalendar, SeedEvent } from '../../seeds/schema/seed.ts'
import { type CapturedEvent, captureEvents } from './event.ts'
import type { Service, ServiceQuery, ServiceResource } from './service.ts'
import { compareByJson, toNonEmptyText } from './values.ts'

/** Any other id is the address of an account. */
const SERVICE_CREATED_ID = /@(group|group\.v|import|resource)\.calendar\.google\.com$/

/** ISO instants: events that end after `from` and start before `to`. */
export type TimeSpan = { from?: string | undefined; to?: string | undefined }

export type CapturedCalendar = {
  calendar: SeedCalendar
  account: { email: string; timeZone?: string } | undefined
  seenBy: string
  events: CapturedEvent[]
}

export type CalendarView = { entry: ServiceResource; email: string; service: Service }

/** Access rules are read only if the account may read them. `onEvents` receives the number of events so far. */
export async function captureCalendar(
  { entry, email, service }: CalendarView,
  span: TimeSpan,
  onEvents: (events: number) => void,
): Promise<CapturedCalendar> {
  const id = String(entry.id)
  const path = `/calendars/${encodeURIComponent(id)}`
  const resource = { ...entry, ...(await service.read(path)) } as ServiceResource
  const isPrimary = !SERVICE_CREATED_ID.test(id) && (entry.dataOwner === undefined || entry.dataOwner === id)
  const rules = /^(owner|writer)/.test(String(entry.accessRole)) ? await service.list(`${path}/acl`) : undefined
  const items = await readEvents(service, `${path}/events`, span, onEvents)
  const timeZone = toNonEmptyText(resource.timeZone)
  const owner = isPrimary || isPublicCalendar(id) ? undefined : findOwner(entry, rules ?? [], email)
  return {
    calendar: {
      id,
      ...(owner && { owner }),
      ...toSeedFields(resource),
      acl: (rules ?? [])
        .map(toRule)
        .filter((rule) => !isOwnRule(rule, id))
        .toSorted(compareByJson),
    },
    account: isPrimary ? { email: id, ...(timeZone && { timeZone }) } : undefined,
    seenBy: email,
    events: captureEvents(items, { calendarId: id, owner: owner ?? id, email, isPrimary }),
  }
}

function toSeedFields(resource: ServiceResource): Partial<SeedCalendar> {
  const { summary, description, location, timeZone, conferenceProperties, labelProperties, workingHours } = resource
  const fields = { summary, description, location, timeZone, conferenceProperties, labelProperties, workingHours }
  const present = Object.entries({ ...fields, autoAcceptInvitations: resource.autoAcceptInvitations })
  return Object.fromEntries(present.filter(([, value]) => value !== undefined))
}

/**
 * The data owner of the list entry, else the captured account if its role is `owner`, else the first person with that role in the
 * rules, else an invented one.
 */
function findOwner(
  { dataOwner, accessRole }: ServiceResource,
  rules: readonly ServiceResource[],
  email: string,
): string {
  const owners = rules.filter(({ role }) => role === 'owner').map(toRule)
  const [person] = owners.flatMap(({ scope }) =>
    scope?.type === 'user' && !SERVICE_CREATED_ID.test(`${scope.value}`) ? [scope.value] : [],
  )
  return toNonEmptyText(dataOwner) ?? (accessRole === 'owner' ? email : undefined) ?? person ?? 'data-owner@example.com'
}

type Rule = NonNullable<SeedCalendar['acl']>[number]

const toRule = ({ role, scope }: ServiceResource): Rule => ({
  role: String(role),
  scope: scope as NonNullable<Rule['scope']>,
})

/** Every calendar has this rule, even if its id is no address that a rule can name (behaviour 15.6.1). */
const isOwnRule = ({ role, scope }: Rule, id: string): boolean => role === 'owner' && scope?.value === id

const MAX_PAGE_SIZE = '2500'

/**
 * Empty if the account may not see the events. A list of a span contains only the exceptions in it, so all exceptions of each
 * series are read too. Otherwise, an instance that was moved out of the span would appear at its old time.
 */
async function readEvents(
  service: Service,
  path: string,
  { from, to }: TimeSpan,
  onEvents: (events: number) => void,
): Promise<readonly ServiceResource[]> {
  const query: ServiceQuery = { maxResults: MAX_PAGE_SIZE, ...(from && { timeMin: from }), ...(to && { timeMax: to }) }
  const items = (await service.list(path, query, onEvents)) ?? []
  if (!from && !to) return items
  const all = new Map(items.map((item) => [item.id, item]))
  const series = items.filter((item) => (item as SeedEvent).recurrence || item.recurringEventId)
  for (const iCalUID of new Set(series.map((item) => toNonEmptyText(item.iCalUID)))) {
    const whole = await service.list(path, { maxResults: MAX_PAGE_SIZE, iCalUID: iCalUID ?? '' })
    for (const item of whole ?? []) all.set(item.id, item)
    onEvents(all.size)
  }
  return [...all.values()]
}
