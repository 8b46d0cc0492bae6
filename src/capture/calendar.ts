import { isPublicCalendar } from '../api/calendars/publicCalendars.ts'
import type { SeedCalendar, SeedEvent } from '../wire/seeds/seed.ts'
import { text } from './account.ts'
import { type CapturedEvent, captureEvents } from './event.ts'
import type { Query, Service, Shown } from './service.ts'

/** The calendars that only the service makes; any other id is the address of an account. */
const MADE = /@(group|group\.v|import|resource)\.calendar\.google\.com$/

/** A moment each: what is captured lies between them. */
export type Span = { from?: string | undefined; to?: string | undefined }

export type CapturedCalendar = {
  calendar: SeedCalendar
  /** Whose primary calendar it is, where it is one. */
  account: { email: string; timeZone?: string } | undefined
  /** Whose view of it was captured. */
  seenBy: string
  events: CapturedEvent[]
}

type Place = { entry: Shown; email: string; service: Service }

/** A calendar as somebody sees it who has it on their list. */
export async function captureCalendar(
  { entry, email, service }: Place,
  span: Span,
  onEvents: (events: number) => void,
): Promise<CapturedCalendar> {
  const id = String(entry.id)
  const path = `/calendars/${encodeURIComponent(id)}`
  const shown = { ...entry, ...(await service.read(path)) } as Shown
  const isPrimary = !MADE.test(id) && (entry.dataOwner === undefined || entry.dataOwner === id)
  const rules = /^(owner|writer)/.test(String(entry.accessRole)) ? await service.list(`${path}/acl`) : undefined
  const items = await eventsIn(service, `${path}/events`, span, onEvents)
  const timeZone = text(shown.timeZone)
  const owner = isPrimary || isPublicCalendar(id) ? undefined : ownerOf(entry, rules ?? [], email)
  return {
    calendar: {
      id,
      ...(owner && { owner }),
      ...saidOf(shown),
      acl: (rules ?? []).map(ruleOf),
    },
    account: isPrimary ? { email: id, ...(timeZone && { timeZone }) } : undefined,
    seenBy: email,
    events: captureEvents(items, { calendarId: id, owner: owner ?? id, email, isPrimary }),
  }
}

/** What a calendar says of itself, as far as a seed has words for it. */
function saidOf(shown: Shown): Partial<SeedCalendar> {
  const { summary, description, location, timeZone, conferenceProperties, labelProperties, workingHours } = shown
  const said = { summary, description, location, timeZone, conferenceProperties, labelProperties, workingHours }
  const there = Object.entries({ ...said, autoAcceptInvitations: shown.autoAcceptInvitations })
  return Object.fromEntries(there.filter(([, value]) => value !== undefined))
}

/** Where nobody says whose data it is, somebody has to own it. */
function ownerOf({ dataOwner, accessRole }: Shown, rules: readonly Shown[], email: string): string {
  const owners = rules.filter(({ role }) => role === 'owner').map(ruleOf)
  const [person] = owners.flatMap(({ scope }) =>
    scope?.type === 'user' && !MADE.test(`${scope.value}`) ? [scope.value] : [],
  )
  return text(dataOwner) ?? (accessRole === 'owner' ? email : undefined) ?? person ?? 'data-owner@example.com'
}

type Rule = NonNullable<SeedCalendar['acl']>[number]

const ruleOf = ({ role, scope }: Shown): Rule => ({ role: String(role), scope: scope as NonNullable<Rule['scope']> })

const LARGEST_PAGE = '2500'

/**
 * The events of a calendar. A span shows the changed instances that lie in it, and a series has to come with all of
 * them: one that was moved out of the span would else be back in it.
 */
async function eventsIn(
  service: Service,
  path: string,
  { from, to }: Span,
  onEvents: (events: number) => void,
): Promise<readonly Shown[]> {
  const query: Query = { maxResults: LARGEST_PAGE, ...(from && { timeMin: from }), ...(to && { timeMax: to }) }
  const items = (await service.list(path, query, onEvents)) ?? []
  if (!from && !to) return items
  const all = new Map(items.map((item) => [item.id, item]))
  const series = items.filter((item) => (item as SeedEvent).recurrence || item.recurringEventId)
  for (const iCalUID of new Set(series.map((item) => text(item.iCalUID)))) {
    const whole = await service.list(path, { maxResults: LARGEST_PAGE, iCalUID: iCalUID ?? '' })
    for (const item of whole ?? []) all.set(item.id, item)
    onEvents(all.size)
  }
  return [...all.values()]
}
