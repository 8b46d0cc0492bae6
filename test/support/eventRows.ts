import { type FieldRow, WRONG_KIND } from './fields.ts'

/** A row of an event's field, with the rules that tests of other chapters derive from. */
export type EventRow = FieldRow & {
  /**
   * The effect of a guest's write (behaviour 7.3). `own`: only in this copy. `meeting`: in all copies if guests may modify.
   * `refused`: 403, because only the organizer can write it. `special`: a rule with its own test.
   */
  guest: 'own' | 'meeting' | 'refused' | 'special'
  /** The difference from the service, for docs/reference/fields.md. A row without it is exact. */
  note?: string
}

export const LENGTH = 'how long it may be is not known: the limit is ours'
export const STORED_ONLY = 'kept and given back, with no effect'

const long = (length: number) => 'x'.repeat(length)

/** Returns the row of a text of the meeting: stored unchanged, removed by an empty text. */
const text = (name: string, longest: number): EventRow => ({
  field: `Event.${name}`, path: name, guest: 'meeting', note: LENGTH,
  write: { [name]: long(longest) }, shows: long(longest),
  patch: { [name]: 'Other' }, patched: 'Other',
  clear: { [name]: '' },
  bad: [
    [{ [name]: long(longest + 1) }, 'A provided value exceeds the allowed size limit.'],
    [{ [name]: {} }, WRONG_KIND],
  ],
}) // biome-ignore format: a row

/** Returns the row of a boolean that only the organizer sets, and that replies omit at its default. */
const flag = (name: string, default_: boolean): EventRow => ({
  field: `Event.${name}`, path: name, guest: 'refused',
  write: { [name]: !default_ }, shows: !default_,
  patch: { [name]: default_ }, patched: undefined,
  clear: { [name]: null },
  bad: [[{ [name]: 'yes' }, WRONG_KIND]],
}) // biome-ignore format: a row

const one = { method: 'popup', minutes: 5 }
const manyProperties = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']))
const properties = (kind: string, guest: EventRow['guest']): EventRow => ({
  field: `Event.extendedProperties.${kind}`, path: `extendedProperties.${kind}`, guest,
  write: { extendedProperties: { [kind]: { a: 'x', n: 5, yes: true, [long(44)]: 'kept', [long(45)]: 'dropped', cut: long(1025) } } },
  shows: { a: 'x', n: '5', yes: 'true', [long(44)]: 'kept', cut: long(1024) },
  patch: { extendedProperties: { [kind]: { a: null, n: '6', cut: null } } }, patched: { n: '6', yes: 'true', [long(44)]: 'kept' },
  clear: { extendedProperties: { [kind]: null } },
  bad: [
    [{ extendedProperties: { [kind]: manyProperties(301) } }, 'Invalid Value: extendedProperties: more than 300 properties or 32 kB'],
    [{ extendedProperties: { [kind]: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`k${n}`, long(1024)])) } }, 'Invalid Value: extendedProperties: more than 300 properties or 32 kB'],
    [{ extendedProperties: { [kind]: { a: ['x'] } } }, WRONG_KIND],
  ],
}) // biome-ignore format: a row

/**
 * One row for each field that clients write. Tests of fields, guests, exceptions and imports derive from it. A row states
 * its rules a second time, so that a wrong row of `src/model/events/fields.ts` fails. Fields with forms of their own, such as
 * `attachments`, are in other files of `test/schema/fields`.
 */
export const EVENT_ROWS: readonly EventRow[] = [
  text('summary', 1024),
  text('location', 1024),
  text('description', 8192),
  { ...flag('anyoneCanAddSelf', false), note: STORED_ONLY },
  flag('guestsCanInviteOthers', true),
  flag('guestsCanModify', false),
  flag('guestsCanSeeOtherGuests', true),
  properties('private', 'own'),
  properties('shared', 'special'),
  { field: 'Event.status', path: 'status', guest: 'special', note: '`cancelled` is refused to an insert: what the service does is not known', write: { status: 'tentative' }, shows: 'tentative', patch: { status: 'confirmed' }, patched: 'confirmed', clear: { status: null }, cleared: 'confirmed', bad: [[{ status: 'perhaps' }, WRONG_KIND]] },
  { field: 'Event.colorId', path: 'colorId', guest: 'own', write: { colorId: '11' }, shows: '11', patch: { colorId: '1' }, patched: '1', clear: { colorId: '' }, bad: [[{ colorId: '12' }, 'Invalid Value: colorId: no color 12'], [{ colorId: {} }, WRONG_KIND]] },
  { field: 'Event.transparency', path: 'transparency', guest: 'own', write: { transparency: 'transparent' }, shows: 'transparent', patch: { transparency: 'opaque' }, patched: undefined, clear: { transparency: null }, bad: [[{ transparency: 'glass' }, WRONG_KIND]] },
  { field: 'Event.visibility', path: 'visibility', guest: 'own', write: { visibility: 'private' }, shows: 'private', patch: { visibility: 'public' }, patched: 'public', clear: { visibility: null }, bad: [[{ visibility: 'hidden' }, WRONG_KIND]] },
  { field: 'Event.recurrence', path: 'recurrence', guest: 'special', note: 'how much it may hold is ours, and where a series without end stops in a list', write: { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }, shows: ['RRULE:FREQ=DAILY;COUNT=3'], patch: { recurrence: ['RRULE:FREQ=WEEKLY'] }, patched: ['RRULE:FREQ=WEEKLY'], clear: { recurrence: [] }, bad: [[{ recurrence: ['FREQ=DAILY'] }, 'Invalid recurrence rule.'], [{ recurrence: 'RRULE:FREQ=DAILY' }, WRONG_KIND]] },
  { field: 'Event.reminders', path: 'reminders', guest: 'own', note: 'a PUT without them sets the defaults: what the service does is not known', write: { reminders: { useDefault: false, overrides: [one] } }, shows: { useDefault: false, overrides: [one] }, patch: { reminders: { useDefault: true, overrides: [] } }, patched: { useDefault: true }, clear: { reminders: null }, cleared: { useDefault: true }, bad: [[{ reminders: { useDefault: true, overrides: [one] } }, 'Cannot specify both default reminders and overrides at the same time.'], [{ reminders: { useDefault: 1 } }, WRONG_KIND]] },
  { field: 'EventReminder.method', path: 'reminders.overrides[0].method', guest: 'special', write: { reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 5 }] } }, shows: 'email', patch: { reminders: { useDefault: false, overrides: [{ method: 'sms', minutes: 3 }, one] } }, patched: 'popup', clear: { reminders: { useDefault: false, overrides: [] } }, bad: [[{ reminders: { useDefault: false, overrides: [{ method: 'pigeon', minutes: 5 }] } }, 'Invalid Value: reminders.overrides: no reminder method pigeon'], [{ reminders: { useDefault: false, overrides: [{ minutes: 5 }] } }, 'Invalid Value: reminders.overrides: no reminder method ']] },
  { field: 'EventReminder.minutes', path: 'reminders.overrides[0].minutes', guest: 'special', write: { reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 40320 }] } }, shows: 40320, patch: { reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 0 }] } }, patched: 0, clear: { reminders: { overrides: null } }, bad: [[{ reminders: { useDefault: false, overrides: [{ method: 'email' }] } }, 'Invalid Value: reminders.overrides: minutes must be 0 to 40320'], [{ reminders: { useDefault: false, overrides: Array(6).fill(one) } }, 'The event exceeds the allowed maximum number of reminders.']] },
  { field: 'Event.source.url', path: 'source.url', guest: 'special', note: LENGTH, write: { source: { url: 'https://example.com/a', title: 'A' } }, shows: 'https://example.com/a', patch: { source: { url: 'http://example.com/b' } }, patched: 'http://example.com/b', clear: { source: null }, bad: [[{ source: { url: 'see https://example.com' } }, 'Invalid Value: source.url: not http or https'], [{ source: { url: 'ftp://example.com' } }, 'Invalid Value: source.url: not http or https']] },
  { field: 'Event.source.title', path: 'source.title', guest: 'special', note: LENGTH, write: { source: { url: 'https://example.com/a', title: 'A' } }, shows: 'A', patch: { source: { title: 'B' } }, patched: 'B', clear: { source: { title: null } }, bad: [[{ source: { title: {} } }, WRONG_KIND]] },
] // biome-ignore format: a table

/** Returns the rows with an effect of a guest's write, each with its path as the title of a test. */
export const rowsWithGuest = (...effects: EventRow['guest'][]): [path: string, row: EventRow][] =>
  EVENT_ROWS.filter(({ guest }) => effects.includes(guest)).map((row) => [row.path, row])
