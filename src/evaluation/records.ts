import type { Change, ChangeRecord } from '../control/history/change.ts'
import type { AclRule } from '../schema/aclRule.ts'
import type { Event } from '../schema/event.ts'
import { isObject } from '../schema/values/json.ts'

/** A changed record as people can read it. A series has the fields of its instances: `[20300613T053000Z].start`. */
export type ReadableRecord = {
  /** Equal for the same record after two attempts. Undefined for a record that was made in the attempt. */
  readonly key: string | undefined
  readonly kind: string
  readonly change: 'added' | 'changed' | 'deleted'
  readonly title: string
  readonly calendarId: string
  /** The ids of the changed events. */
  readonly ids: readonly string[]
  /** The values after the attempt, of the fields that differ from those before it. */
  readonly fields: Map<string, unknown>
  /** The addresses of the people whom the record concerns, before and after the attempt. */
  readonly people: ReadonlySet<string>
  /** The event, or the first changed instance, with all its fields. */
  readonly resource: object
}

/**
 * What two attempts may write differently although people read the same. `test/evaluation/equality.test.ts` has a case for each
 * row, and its nearest difference that people do read.
 */
const UNREAD: readonly [kind: string, path: RegExp, reason: string][] = [
  ['event', /^(?:creator|organizer)\b/, 'follows from the account and the calendar'],
  ['event', /^(?:start|end)\.timeZone$/, 'one instant can be written in several zones'],
  ['event', /^(?:recurringEventId|originalStartTime)\b/, 'a series is compared by its instances'],
  ['event', /^hangoutLink$|^conferenceData\b/, 'the service chooses the address of a call, at once or later'],
  ['event', /^attendees\[[^\]]*\]\.(?:displayName|self|organizer|resource|id)$/, 'follows from the account'],
  [
    'calendarList',
    /^(?:colorId|backgroundColor|foregroundColor|selected)$/,
    'the service chooses those of a new entry',
  ],
]

/** The kind of a conference, before and after the service has created it. */
const CONFERENCE = /^conferenceData\.(?:createRequest\.conferenceSolutionKey|conferenceSolution\.key)\.type$/

/** Values of every new event, which make no two of them similar. */
const COMMON: Readonly<Record<string, unknown>> = {
  status: 'confirmed',
  eventType: 'default',
  'reminders.useDefault': true,
}

/** The id of an instance: that of its series, and its original start. */
export const INSTANCE = /^(.+)_(\d{8}(?:T\d{6}Z)?)$/

/** Groups the changes of instances by series, and leaves out what people do not read. */
export function toReadableRecords(changes: readonly ChangeRecord[]): ReadableRecord[] {
  const seriesIdOf = ({ change: { kind, id } }: ChangeRecord) => (kind === 'event' ? INSTANCE.exec(id)?.[1] : undefined)
  const expanded = new Set(changes.map(seriesIdOf))
  const records: ReadableRecord[] = []
  const series = new Map<string, ChangeRecord[]>()
  for (const one of changes) {
    const { kind, calendarId, id, fields } = one.change
    const isSeries = kind === 'event' && expanded.has(id)
    const seriesId = isSeries ? id : seriesIdOf(one)
    if (seriesId === undefined) records.push(...toRecord([one], id))
    // What its instances do not show of a long series.
    else if (!isSeries || fields.recurrence) addToGroup(series, `${calendarId}\n${seriesId}`, one)
  }
  for (const [key, group] of series) records.push(...toRecord(group, key.split('\n')[1] ?? '', true))
  return records
}

function addToGroup(groups: Map<string, ChangeRecord[]>, key: string, one: ChangeRecord): void {
  const group = groups.get(key)
  if (group) group.push(one)
  else groups.set(key, [one])
}

function toRecord(group: readonly ChangeRecord[], id: string, isSeries = false): ReadableRecord[] {
  const [first] = group
  if (!first) return []
  const { kind, calendarId = '', title, account = '' } = first.change
  const isMade =
    (kind === 'event' || kind === 'channel') &&
    group.every(({ change, existed }) => change.change === 'added' && !existed && !isMovedRecord(change))
  const fields = new Map<string, unknown>()
  if (isMade) fields.set('calendarId', calendarId)
  for (const [at, one] of group.entries()) {
    const [, , slot] = INSTANCE.exec(one.change.id) ?? []
    const prefix = !isSeries || slot === undefined ? '' : `[${isMade ? at + 1 : slot}].`
    if (isSeries && !isMade && one.change.change !== 'changed') fields.set(prefix.slice(0, -1), one.change.change)
    if (one.change.change === 'deleted') continue
    if (isSeries && slot === undefined) {
      const [before, after] = one.change.fields.recurrence?.map((lines) => withoutShownDates(lines, group)) ?? []
      if (before !== after) fields.set('recurrence', after)
    } else for (const [path, value] of readFields(one)) fields.set(prefix + path, value)
  }
  const change = isMade || !isSeries ? first.change.change : 'changed'
  if (change === 'changed' && fields.size === 0) return []
  return [
    {
      key: isMade ? undefined : [kind, calendarId || account, kind === 'event' ? id : first.change.id].join('\n'),
      ...{ kind, change, title, calendarId, fields, ids: [id, ...group.map((one) => one.change.id)] },
      people: new Set(group.flatMap(listPeople)),
      resource: first.is ?? first.was ?? {},
    },
  ]
}

/** An event that the mover attends stays in the mover's calendar, as a copy. */
const isMovedRecord = ({ copies }: Change): boolean => copies.some(({ change }) => change === 'changed')

/** The lines of a long series as one text, without the dates before the last instance that is compared. */
function withoutShownDates(lines: unknown, group: readonly ChangeRecord[]): string {
  const last = group.map(({ change }) => INSTANCE.exec(change.id)?.[2] ?? '').reduce((a, b) => (a > b ? a : b))
  const isLater = (line: string) => line.match(/\d{8}/g)?.some((date) => date > last.slice(0, 8))
  return [lines ?? []]
    .flat()
    .map(String)
    .filter((line) => /^(?:EX|R)RULE/i.test(line) || isLater(line))
    .sort()
    .join('\n')
}

/** Returns the fields that differ, with their values after the change. */
function* readFields({ change, is, was }: ChangeRecord): Generator<[path: string, value: unknown]> {
  const { kind, fields, calendarId } = change
  const isAdded = change.change === 'added'
  const host = ((is ?? was) as Partial<Event>).organizer?.email ?? calendarId
  for (const [path, [before, after]] of Object.entries(fields)) {
    if (kind === 'event' && CONFERENCE.test(path)) yield ['conferenceData', after]
    if (UNREAD.some(([of, pattern]) => of === kind && (of === 'event' || isAdded) && pattern.test(path))) continue
    const time = kind === 'event' && /^(start|end)\.(date|dateTime)$/.exec(path)
    if (time) {
      if (after !== null) yield [time[1] ?? '', toTime(String(after))]
      continue
    }
    const [, guest] = (kind === 'event' && /^attendees\[([^\]]*)\]$/.exec(path)) || []
    const toValue = (value: unknown) => toReadableValue(path, value, guest !== undefined && guest === host)
    const [former, present] = [toValue(before), toValue(after)]
    if (JSON.stringify(former) !== JSON.stringify(present)) yield [path, present]
  }
}

/** An instant without its zone; a date as it is. */
const toTime = (text: string): string =>
  text.includes('T') ? new Date(text).toISOString().replace('.000Z', 'Z') : text

function toReadableValue(path: string, value: unknown, isHost: boolean): unknown {
  if (value === null || value === undefined || value === COMMON[path]) return null
  if (Array.isArray(value)) return value.length === 0 ? null : value
  if (!isObject(value)) return value
  if (!path.startsWith('attendees[')) return Object.keys(value).length === 0 ? null : value
  const { displayName: _, self: __, organizer: ___, resource: ____, id: _____, email, ...rest } = value
  const kept = Object.entries(rest)
  // The organizer attends, also without an entry.
  if (isHost && kept.every(([name, one]) => name === 'responseStatus' && (one === 'accepted' || one === 'needsAction')))
    return null
  return { email, ...Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

function listPeople({ change: { calendarId, account }, was, is }: ChangeRecord): string[] {
  const of = [was, is].flatMap((one) => {
    const { attendees = [], organizer, scope } = (one ?? {}) as Partial<Event & AclRule>
    return [...attendees.map(({ email }) => email), organizer?.email, scope?.value]
  })
  return [calendarId, account, ...of].filter((one) => typeof one === 'string')
}
