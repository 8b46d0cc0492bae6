import type { Variables } from '../control/types/task.ts'
import { formatInZone } from '../model/events/times.ts'
import { instantAt, isZone } from '../recurrence/zone.ts'
import type { IssuePath } from '../schema/values/issues.ts'
import { describeUnknownName } from '../schema/values/nearest.ts'
import { findField, isPlainObject } from './mapTexts.ts'

/** A name that begins with a digit is that of a reply in a goal. */
const PLACEHOLDER = /\{\{\s*((?!\d)[\w.]+)\s*\}\}/g
/** A local time with its zone (RFC 9557): `2030-03-08T12:30[Europe/Berlin]`. */
const ZONED_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?\[([\w/+-]+)\]$/

type Report = (path: IssuePath, problem: string) => void
type Choose = (values: readonly unknown[], name: string) => unknown

/**
 * Replaces the placeholders in the texts of a task, by default with the first value of each variable, and local times
 * with a zone by instants with the offset of the zone. A text that is one placeholder becomes the value itself.
 */
export function fillPlaceholders(data: unknown, report: Report, choose: Choose = ([first]) => first): unknown {
  if (typeof data !== 'object' || data === null) return data
  const { variables, ...task } = data as { variables?: unknown }
  const given = Object.entries(Object(variables) as Variables).filter(([, values]) => Array.isArray(values))
  const values = Object.fromEntries(given.map(([name, all]) => [name, choose(all, name)]))
  const filled = fillValue(task, values, report, []) as object
  return variables === undefined ? filled : { ...filled, variables }
}

function fillValue(
  value: unknown,
  values: Readonly<Record<string, unknown>>,
  report: Report,
  path: IssuePath,
): unknown {
  if (typeof value === 'string') return toInstant(fillText(value, values, report, path), report, path)
  if (Array.isArray(value)) return value.map((one, at) => fillValue(one, values, report, [...path, at]))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      String(fillText(name, values, report, path)),
      fillValue(part, values, report, [...path, name]),
    ]),
  )
}

function fillText(text: string, values: Readonly<Record<string, unknown>>, report: Report, path: IssuePath): unknown {
  const find = (name: string): unknown => {
    const found = findField(values, name.split('.'))
    if (found === undefined) report(path, `{{${name}}}: ${describeUnknownName(name, Object.keys(values), 'variable')}`)
    return found ?? ''
  }
  const [whole, only] = /^\{\{\s*((?!\d)[\w.]+)\s*\}\}$/.exec(text) ?? []
  return whole !== undefined && only !== undefined
    ? find(only)
    : text.replace(PLACEHOLDER, (_, name) => String(find(name)))
}

function toInstant(value: unknown, report: Report, path: IssuePath): unknown {
  const [, minutes, seconds = ':00', zone = ''] = (typeof value === 'string' && ZONED_TIME.exec(value)) || []
  if (minutes === undefined) return value
  // A variation moves the local time of an offset, but not of `Z`.
  if (isZone(zone)) return formatInZone(instantAt(`${minutes}${seconds}`, zone), zone).replace('Z', '+00:00')
  report(path, `${zone}: there is no such time zone`)
  return value
}
