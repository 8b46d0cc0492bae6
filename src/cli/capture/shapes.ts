import { isObject } from '../../schema/values/json.ts'
import { toShown } from '../../schema/values/shownText.ts'

type Kind = 'an object' | 'a text' | 'a list of objects' | 'a list of texts'

const KINDS: Readonly<Record<string, Kind>> = {
  items: 'a list of objects',
  attendees: 'a list of objects',
  attachments: 'a list of objects',
  defaultReminders: 'a list of objects',
  recurrence: 'a list of texts',
  ...Object.fromEntries(
    [
      ...['start', 'end', 'originalStartTime', 'creator', 'organizer', 'reminders', 'extendedProperties', 'source'],
      ...['conferenceData', 'gadget', 'scope', 'notificationSettings', 'conferenceProperties', 'labelProperties'],
    ].map((name) => [name, 'an object' as const]),
  ),
  ...Object.fromEntries(
    [
      ...['id', 'status', 'summary', 'description', 'location', 'iCalUID', 'recurringEventId', 'timeZone'],
      ...['accessRole', 'dataOwner', 'nextPageToken', 'email', 'date', 'dateTime', 'role'],
    ].map((name) => [name, 'a text' as const]),
  ),
}

/**
 * Describes the first field of a wrong type, such as `items[3].attendees is "x", not a list of objects`. `path` is the place of
 * `body` in the response; empty for the whole, whose items also need an id.
 */
export function findWrongField(body: object, path = ''): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
    if (kind === undefined || value === null || value === undefined) continue
    if (/extendedProperties$/.test(path) || (name === 'organizer' && /attendees\[\d+\]$/.test(path))) continue
    const at = path ? `${path}.${name}` : name
    const problem = isOfKind(value, kind) ? findWrongNested(value, at) : describeWrongKind(value, kind, at)
    if (problem !== undefined) return problem
  }
  if (Array.isArray(Reflect.get(body, 'items')) && path === '') {
    const at = (Reflect.get(body, 'items') as Readonly<Record<string, unknown>>[]).findIndex(({ id }) => !id)
    if (at >= 0) return `items[${at}] has no id`
  }
  return undefined
}

function findWrongNested(value: unknown, path: string): string | undefined {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      const problem = isObject(item) ? findWrongField(item, `${path}[${at}]`) : undefined
      if (problem !== undefined) return problem
    }
    return undefined
  }
  return isObject(value) ? findWrongField(value, path) : undefined
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'a text') return typeof value === 'string'
  if (kind === 'an object') return isObject(value)
  return (
    Array.isArray(value) &&
    value.every((item) => (kind === 'a list of texts' ? typeof item === 'string' : isObject(item)))
  )
}

function describeWrongKind(value: unknown, kind: Kind, path: string): string {
  const at = Array.isArray(value) && kind === 'a list of objects' ? value.findIndex((item) => !isObject(item)) : -1
  if (at >= 0) return `${path}[${at}] is ${toShown((value as unknown[])[at])}, not an object`
  return `${path} is ${toShown(value)}, not ${kind}`
}
