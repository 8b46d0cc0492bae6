import type { EventReminder } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'

const METHODS = ['email', 'popup']
const MOST = 5
const LONGEST = 40_320

/**
 * Reminders as stored: e-mail and pop-up, 0 to 40320 minutes, five at most; SMS is dropped (behaviour 3.2.10, 12.7).
 */
export function readReminders(
  field: string,
  given: readonly { method?: string | undefined; minutes?: number | undefined }[],
): EventReminder[] {
  const reminders = given.filter(({ method }) => method !== 'sms')
  if (reminders.length > MOST) refuse('invalidValue', { field, problem: `more than ${MOST} reminders` })
  return reminders.map(({ method = '', minutes = -1 }) => {
    if (!METHODS.includes(method)) refuse('invalidValue', { field, problem: `no reminder method ${method}` })
    if (minutes < 0 || minutes > LONGEST) refuse('invalidValue', { field, problem: `minutes must be 0 to ${LONGEST}` })
    return { method, minutes }
  })
}

export const sortReminders = (reminders: EventReminder[]): EventReminder[] =>
  reminders.sort((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method) || a.minutes - b.minutes)
