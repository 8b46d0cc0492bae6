import type { MailParams } from '../../effects/mailbox.ts'
import type { Access } from '../../model/access.ts'
import { parseSentence } from '../../model/events/naturalLanguage.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'
import { insertEvent } from './insert.ts'

/** Uses the calendar's zone and the caller's default length (behaviour 7.9). Throws `missingParameter` without text. */
export function quickAdd(access: Access, text: string, sending: MailParams): Event {
  const { world, calendar, caller } = access
  if (text.trim() === '') throw apiError('missingParameter', { location: 'text' })
  const lengthMin = Number(world.settings.of(caller.email ?? '').get('defaultEventLength')?.value) || 60
  const context = { now: world.clock.now(), length: lengthMin * 60_000, zone: calendar.timeZone }
  return insertEvent(access, parseSentence(text, context), sending)
}
