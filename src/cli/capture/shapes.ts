import { isObject, quote } from '../conform/matchers.ts'

type Kind = 'an object' | 'a text' | 'a list of objects' | 'a list of texts'

/** The kinds of the fields that a capture reads. Any field may be missing. */
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

/** Returns the first invalid field of a response, such as `items[3].attendees is "x", not a list of objects`. */
export function requireShape(body: object, path = ''): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
    if (kind === undefined || value === null || value === undefined) continue
    // Names of extended properties are arbitrary, and `organizer` of a guest is a boolean.
    if (/extendedProperties$/.test(path) || (name === 'organizer' && /attendees\[\d+\]$/.test(path))) continue
    const at = path ? `${path}.${name}` : name
    const problem = isOfKind(value, kind) ? wrongBelow(value, at) : wrongKind(value, kind, at)
    if (problem !== undefined) return problem
  }
  if (Array.isArray(Reflect.get(body, 'items')) && path === '') {
    const at = (Reflect.get(body, 'items') as Readonly<Record<string, unknown>>[]).findIndex(({ id }) => !id)
    if (at >= 0) return `items[${at}] has no id`
  }
  return undefined
}

function wrongBelow(value: unknown, path: string): string | undefined {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      const problem = isObject(item) ? requireShape(item, `${path}[${at}]`) : undefined
      if (problem !== undefined) return problem
    }
    return undefined
  }
  return isObject(value) ? requireShape(value, path) : undefined
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === 'a text') return typeof value === 'string'
  if (kind === 'an object') return isObject(value)
  return (
    Array.isArray(value) &&
    value.every((item) => (kind === 'a list of texts' ? typeof item === 'string' : isObject(item)))
  )
}

function wrongKind(value: unknown, kind: Kind, path: string): string {
  const at = Array.isArray(value) && kind === 'a list of objects' ? value.findIndex((item) => !isObject(item)) : -1
  if (at >= 0) return `${path}[${at}] is ${quote((value as unknown[])[at])}, not an object`
  return `${path} is ${quote(value)}, not ${kind}`
}
