import type { Event } from '../../schema/event.ts'
import type { ChangeRecord } from './change.ts'

/** Characters. */
const MAX_VALUE_LENGTH = 60

export function formatChange({ change, was, is }: ChangeRecord): string {
  const { kind, title, calendarId, account } = change
  const { dateTime, date } = ((was ?? is) as Partial<Event>).start ?? {}
  const start = dateTime ?? date
  const of = [calendarId ?? account, start].filter((part) => part !== undefined).join(', ')
  const fields = Object.entries(change.fields).map(
    ([path, [before, after]]) => `${path} ${formatValue(before)} → ${formatValue(after)}`,
  )
  return `${kind} ${JSON.stringify(title)} of ${of}: ${change.change === 'changed' ? fields.join(', ') : change.change}`
}

function formatValue(value: unknown): string {
  if (value === null) return 'none'
  const text = JSON.stringify(value)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}
