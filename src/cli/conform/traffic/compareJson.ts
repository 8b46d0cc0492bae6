import { isObject } from '../../../schema/values/json.ts'
import { quoteValue } from '../matchers.ts'

/** Fields whose presence is compared, but not their values, because each server chooses them. */
const OPAQUE = new Set([
  ...['etag', 'created', 'updated', 'nextSyncToken', 'nextPageToken', 'htmlLink', 'hangoutLink'],
  ...['conferenceId', 'signature', 'entryPoints', 'iconUri', 'iconLink', 'expiration', 'resourceId', 'resourceUri'],
])

/**
 * Returns a sentence for each difference between a recorded JSON value and the fake's; none if they agree. The ids in
 * `recorded` have been replaced by the fake's. `path` is the place of both values, such as `items[0].start`; empty for
 * a whole body.
 */
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
  return isSame(recorded, ours) ? [] : [`${here}: recorded ${quoteValue(recorded)}, here ${quoteValue(ours)}`]
}

/** Returns true for equal primitive values. Different notations of an instant are not equal, because the service uses one. */
const isSame = (one: unknown, other: unknown): boolean => Object.is(one, other)

/** Compares two arrays like `compareJson`: by id and then by order if all elements have ids, else by position. */
function compareLists(recorded: readonly unknown[], ours: readonly unknown[], path: string): string[] {
  const idOf = (one: unknown) => (isObject(one) && typeof one.id === 'string' ? one.id : undefined)
  const names = (all: readonly unknown[]) => all.map(idOf)
  // Different sets of items are one difference; items are not compared by position.
  if (recorded.every((one) => idOf(one) !== undefined) && ours.every((one) => idOf(one) !== undefined)) {
    const missing = recorded.filter((one) => !names(ours).includes(idOf(one)))
    const more = ours.filter((one) => !names(recorded).includes(idOf(one)))
    const found = [
      ...missing.map((one) => `${path}: recorded ${quoteValue(one)}, here nothing`),
      ...more.map((one) => `${path}: recorded nothing, here ${quoteValue(one)}`),
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
      `${path}: recorded ${recorded.length} elements, here ${ours.length}: ${quoteValue(recorded)}, here ${quoteValue(ours)}`,
    ]
  return recorded.flatMap((one, at) => compareJson(one, ours[at], `${path}[${at}]`))
}
