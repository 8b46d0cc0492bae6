import { boundedCache } from '../db/memo.ts'
import { Records } from '../db/records.ts'
import type { AclRule } from '../schema/aclRule.ts'

const PUBLIC_CALENDAR = /(?:^|^(.+))#(holiday|contacts)@group\.v\.calendar\.google\.com$/

/** Returns the parts of the id of a calendar of holidays, or of contacts' birthdays (behaviour 15.15, 15.16). */
export function parsePublicCalendarId(id: string): { of: string; type: string } | undefined {
  const [match, of = '', type = ''] = PUBLIC_CALENDAR.exec(id) ?? []
  return match === undefined ? undefined : { of, type }
}

/** The etag of the owner's rule, which exists from the start and was never written (behaviour 15.6). */
const NEVER_WRITTEN = `"${'0'.repeat(20)}"`

const MAX_CACHED_CALENDARS = 1000
const cached = boundedCache<Records<AclRule>>(MAX_CACHED_CALENDARS)

/** Returns the rules of a calendar before the first write: it owns itself (behaviour 15.6.1). Nobody owns a public calendar. */
export function initialRules(calendarId: string): Records<AclRule> | undefined {
  if (parsePublicCalendarId(calendarId)) return undefined
  return cached(calendarId, () => {
    const id = `user:${calendarId}`
    const scope = { type: 'user' as const, value: calendarId }
    const records = new Records<AclRule>({})
    records.put(id, { kind: 'calendar#aclRule', etag: NEVER_WRITTEN, id, scope, role: 'owner' }, 0)
    return records
  })
}
