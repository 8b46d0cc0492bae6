import { parseSentence } from '../../model/naturalLanguage.ts'
import type { Event } from '../../wire/event.ts'
import { refuse } from '../../wire/refusals.ts'
import type { Access } from '../../world/access.ts'
import type { SendUpdates } from '../../world/mail.ts'
import { insertEvent } from './insert.ts'

/** An event from a sentence, by the calendar's zone, the world's clock and the caller's settings (behaviour 7.9). */
export function quickAdd(access: Access, text: string, sending: SendUpdates): Event {
  const { world, calendar, caller } = access
  if (text.trim() === '') refuse('missingParameter', { location: 'text' })
  const length = Number(world.settings.of(caller.email ?? '').get('defaultEventLength')?.value) || 60
  const spoken = { now: world.clock.now(), length: length * 60_000, zone: calendar.timeZone }
  return insertEvent(access, parseSentence(text, spoken), sending)
}
