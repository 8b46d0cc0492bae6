import type { Event, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

type Properties = Record<string, string>

const LONGEST_KEY = 44
const LONGEST_VALUE = 1024
const MOST = 300
const LARGEST = 32 * 1024

/** Properties as stored: a key too long is dropped, a value too long is cut, too many are refused (behaviour 12.8). */
export function readProperties(given: EventDraft['extendedProperties']): Event['extendedProperties'] {
  if (!given) return undefined
  const read = (properties: Properties | undefined): Properties =>
    Object.fromEntries(
      Object.entries(properties ?? {})
        .filter(([key]) => key.length <= LONGEST_KEY)
        .map(([key, value]) => [key, value.slice(0, LONGEST_VALUE)]),
    )
  const [secret, shared] = [read(given.private), read(given.shared)]
  const all = [...Object.entries(secret), ...Object.entries(shared)]
  const size = all.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (all.length > MOST || size > LARGEST) {
    refuse('invalidValue', {
      field: 'extendedProperties',
      problem: `more than ${MOST} properties or ${LARGEST / 1024} kB`,
    })
  }
  return {
    ...(Object.keys(secret).length > 0 && { private: secret }),
    ...(Object.keys(shared).length > 0 && { shared }),
  }
}

/** Whether an event has every one of the properties asked for as `name=value` (behaviour 1.18). */
export const hasProperties = (properties: Properties | undefined, asked: readonly string[] = []): boolean =>
  asked.every((pair) => {
    const at = pair.indexOf('=')
    return at >= 0 && properties?.[pair.slice(0, at)] === pair.slice(at + 1)
  })
