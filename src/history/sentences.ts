import type { AclRule } from '../wire/aclRule.ts'
import type { Event } from '../wire/event.ts'
import type { Setting } from '../wire/setting.ts'
import type { Channel } from '../world/channel.ts'
import type { Change, Found } from './change.ts'
import type { KindName } from './kinds.ts'
import { type Naming, naming } from './people.ts'
import { dayOf, movedTo, whenOf } from './times.ts'

/** Each change as a sentence: `alice: "Stand-up" 2026-03-09: bob needsAction → accepted`. */
export function sentences(found: readonly Found[]): string[] {
  const name = naming(found.flatMap(addressesIn))
  return found.map((one) => `${whose(one, name)}: ${SAID[one.change.kind](one, name)}`)
}

function addressesIn({ change: { account, kind, title }, was, is }: Found): string[] {
  const guests = kind === 'event' ? [was, is].flatMap((event) => (event as Event | undefined)?.attendees ?? []) : []
  return [...(account ? [account] : []), ...(kind === 'acl' ? [title] : []), ...guests.map(({ email }) => email)]
}

/** The account, and a calendar that is not its own first one. */
function whose({ change: { account, kind, calendarId }, calendar }: Found, name: Naming): string {
  const within = (kind === 'event' || kind === 'acl') && calendar !== undefined
  const who = account === undefined ? (calendarId ?? '') : name(account)
  return within ? `${who}, ${quoted(calendar)}` : who
}

const quoted = (title: string): string => (title === '' ? '(no title)' : JSON.stringify(title))

type Say = (found: Found, name: Naming) => string

const SAID: Record<KindName, Say> = {
  event({ change, was, is }, name) {
    const event = (was ?? is) as Event
    const title = quoted(event.summary ?? '')
    if (change.change === 'changed')
      return `${title} ${dayOf(event.start)}: ${ofEvent(change, was as Event, is as Event, name)}`
    const guests = (event.attendees ?? []).filter(({ email }) => email !== event.organizer?.email)
    const whom = change.change === 'added' ? guests.map(({ email }) => name(email)) : []
    const recurring = event.recurrence ? ', recurring' : ''
    return `${title} ${whenOf(event)} ${change.change}${recurring}${whom.length > 0 ? `, with ${listed(whom)}` : ''}`
  },
  calendar: ({ change }) => ofThing(`calendar ${quoted(change.title)}`, change),
  calendarList({ change }) {
    const title = quoted(change.title)
    if (change.change === 'added') return `${title} added to the list of calendars`
    if (change.change === 'deleted') return `${title} taken off the list of calendars`
    return `${title} on the list of calendars: ${ofFields(change)}`
  },
  acl({ change: { change, title }, was, is }, name) {
    const [before, after] = [(was as AclRule | undefined)?.role, (is as AclRule | undefined)?.role]
    const { type } = ((is ?? was) as AclRule).scope
    const whom = type === 'default' ? 'everybody' : type === 'domain' ? `all of ${title}` : name(title)
    if (change === 'added') return `shared with ${whom} as ${after}`
    return change === 'deleted' ? `no longer shared with ${whom}, who was ${before}` : `${whom} ${before} → ${after}`
  },
  setting({ change: { change, title }, was, is }) {
    const [before, after] = [(was as Setting | undefined)?.value, (is as Setting | undefined)?.value]
    return change === 'changed'
      ? `setting ${title} ${before} → ${after}`
      : `setting ${title} ${change}, ${after ?? before}`
  },
  channel({ change, was, is }) {
    const { resource } = (is ?? was) as Channel
    return ofThing(`channel ${quoted(change.title)} on ${resource}`, change, { added: 'opened', deleted: 'stopped' })
  },
}

function ofThing(thing: string, change: Change, verbs: Partial<Record<Change['change'], string>> = {}): string {
  return change.change === 'changed'
    ? `${thing}: ${ofFields(change)}`
    : `${thing} ${verbs[change.change] ?? change.change}`
}

const ofFields = ({ fields }: Change): string =>
  Object.entries(fields)
    .map(([path, [was, is]]) => `${path} ${short(was)} → ${short(is)}`)
    .join(', ') || 'nothing that shows'

/** What became of an event: its title and times first, then people, then all else. */
function ofEvent({ fields }: Change, was: Event, is: Event, name: Naming): string {
  const said: string[] = []
  const times = Object.keys(fields).filter((path) => /^(?:start|end)\./.test(path))
  if (times.length > 0) said.push(movedTo(was, is))
  for (const [path, [before, after]] of Object.entries(fields)) {
    if (times.includes(path)) continue
    const [, email, field] = /^attendees\[(.*?)\](?:\.(.*))?$/.exec(path) ?? []
    if (email === undefined) said.push(`${path} ${short(before)} → ${short(after)}`)
    else if (field === undefined) said.push(`${name(email)} ${before === null ? 'invited' : 'no longer invited'}`)
    else if (field === 'responseStatus') said.push(`${name(email)} ${before} → ${after}`)
    else said.push(`${name(email)}'s ${field} ${short(before)} → ${short(after)}`)
  }
  return said.join(', ') || 'nothing that shows'
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const LONGEST = 60

/** A value as a sentence says it: texts in quotes, cut where they are long. */
function short(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  const text = JSON.stringify(value)
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST - 1)}…${typeof value === 'string' ? '"' : ''}`
}
