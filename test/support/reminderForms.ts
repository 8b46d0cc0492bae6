/** The forms of `reminders` in a body, and what the service makes of each (behaviour 3.2.10). */

type Override = { method: string; minutes: number }
type Shown = { useDefault: boolean; overrides?: Override[] }

/** The reasons of the service's errors. */
export const BOTH_WAYS = 'cannotUseDefaultRemindersAndSpecifyOverride'
export const TOO_MANY = 'eventRemindersCountExceedsLimit'

export const popup = (minutes: number): Override => ({ method: 'popup', minutes })
const email = (minutes: number): Override => ({ method: 'email', minutes })
export const DEFAULT: Shown = { useDefault: true }
const NONE: Shown = { useDefault: false }
/** The reminders of the event that a PATCH of each form changes. */
export const OWN: Shown = { useDefault: false, overrides: [popup(5)] }
/** The default reminders of a primary calendar, as an all-day event has them. */
export const TAKEN: Shown = { useDefault: false, overrides: [popup(10)] }

export type ReminderForm = {
  name: string
  /** The body's `reminders`; without the key the body has none. */
  body: { reminders?: unknown }
  /** The reminders, or the reason of the error, of a new timed event. */
  inserted: Shown | string
  /** The same after a PATCH of an event with the reminders `OWN`. */
  patched: Shown | string
}

const own = (minutes: number): Shown => ({ useDefault: false, overrides: [popup(minutes)] })
const form = (name: string, reminders: unknown, inserted: Shown | string, patched: Shown | string): ReminderForm => ({
  name,
  body: { reminders },
  inserted,
  patched,
})

export const REMINDER_FORMS: ReminderForm[] = [
  { name: 'absent', body: {}, inserted: DEFAULT, patched: OWN },
  form('null', null, DEFAULT, DEFAULT),
  form('{}', {}, DEFAULT, OWN),
  form('useDefault: true', { useDefault: true }, DEFAULT, BOTH_WAYS),
  form('useDefault: false', { useDefault: false }, NONE, OWN),
  form('overrides: []', { overrides: [] }, DEFAULT, NONE),
  form('overrides: null', { overrides: null }, DEFAULT, NONE),
  form('overrides: one', { overrides: [popup(7)] }, BOTH_WAYS, own(7)),
  form('useDefault: null', { useDefault: null }, DEFAULT, BOTH_WAYS),
  form('useDefault: true, overrides: []', { useDefault: true, overrides: [] }, DEFAULT, DEFAULT),
  form('useDefault: true, overrides: null', { useDefault: true, overrides: null }, DEFAULT, DEFAULT),
  form('useDefault: true, overrides: one', { useDefault: true, overrides: [popup(7)] }, BOTH_WAYS, BOTH_WAYS),
  form('useDefault: false, overrides: []', { useDefault: false, overrides: [] }, NONE, NONE),
  form('useDefault: false, overrides: null', { useDefault: false, overrides: null }, NONE, NONE),
  form('useDefault: false, overrides: one', { useDefault: false, overrides: [popup(7)] }, own(7), own(7)),
  form('useDefault: null, overrides: one', { useDefault: null, overrides: [popup(7)] }, BOTH_WAYS, BOTH_WAYS),
  form(
    'out of range, repeated, out of order',
    { useDefault: false, overrides: [popup(9), popup(50_000), popup(-5), email(3), popup(0)] },
    { useDefault: false, overrides: [email(3), popup(0), popup(9), popup(40_320)] },
    { useDefault: false, overrides: [email(3), popup(0), popup(9), popup(40_320)] },
  ),
  form('six equal ones', { useDefault: false, overrides: Array(6).fill(popup(1)) }, TOO_MANY, TOO_MANY),
]
