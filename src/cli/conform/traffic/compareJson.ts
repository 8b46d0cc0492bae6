import { isObject, quote } from '../matchers.ts'

/** Of these there is one or there is none; which it is, each server decides for itself. */
const OPAQUE = new Set([
  ...['etag', 'created', 'updated', 'nextSyncToken', 'nextPageToken', 'htmlLink', 'hangoutLink'],
  ...['conferenceId', 'signature', 'entryPoints', 'iconUri', 'iconLink', 'expiration', 'resourceId', 'resourceUri'],
])

/** How our answer differs from a recorded one whose names are ours already: a sentence for each place. */
export function compareJson(recorded: unknown, ours: unknown, path = ''): string[] {
  const here = path || 'body'
  if (Array.isArray(recorded) && Array.isArray(ours)) return compareLists(recorded, ours, path)
  if (isObject(recorded) && isObject(ours)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(ours)])]
    return names.flatMap((name) => {
      const at = path ? `${path}.${name}` : name
      const [one, other] = [recorded[name], ours[name]]
      if (OPAQUE.has(name) && one !== undefined && typeof one === typeof other) return []
      return compareJson(one, other, at)
    })
  }
  return isSame(recorded, ours) ? [] : [`${here}: recorded ${quote(recorded)}, here ${quote(ours)}`]
}

/** Two ways to write an instant are two: the service has one. */
const isSame = (one: unknown, other: unknown): boolean => Object.is(one, other)

function compareLists(recorded: readonly unknown[], ours: readonly unknown[], path: string): string[] {
  const idOf = (one: unknown) => (isObject(one) && typeof one.id === 'string' ? one.id : undefined)
  const names = (all: readonly unknown[]) => all.map(idOf)
  // Which items there are is said once, and not as a difference of each that stands elsewhere for it.
  if (recorded.every((one) => idOf(one) !== undefined) && ours.every((one) => idOf(one) !== undefined)) {
    const missing = recorded.filter((one) => !names(ours).includes(idOf(one)))
    const more = ours.filter((one) => !names(recorded).includes(idOf(one)))
    const found = [
      ...missing.map((one) => `${path}: recorded ${quote(one)}, here nothing`),
      ...more.map((one) => `${path}: recorded nothing, here ${quote(one)}`),
    ]
    const both = recorded.filter((one) => !missing.includes(one))
    const inOrder = ours.filter((one) => !more.includes(one))
    if (found.length === 0 && names(both).join() !== names(inOrder).join())
      found.push(`${path}: recorded in the order ${names(both).join(', ')}, here ${names(inOrder).join(', ')}`)
    return [
      ...found,
      ...both.flatMap((one) =>
        compareJson(
          one,
          ours.find((other) => idOf(other) === idOf(one)),
          `${path}[${idOf(one)}]`,
        ),
      ),
    ]
  }
  if (recorded.length !== ours.length)
    return [
      `${path}: recorded ${recorded.length} elements, here ${ours.length}: ${quote(recorded)}, here ${quote(ours)}`,
    ]
  return recorded.flatMap((one, at) => compareJson(one, ours[at], `${path}[${at}]`))
}
