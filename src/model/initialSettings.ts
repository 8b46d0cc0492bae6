import { boundedCache } from '../db/memo.ts'
import { Records } from '../db/records.ts'
import type { Setting } from '../schema/setting.ts'

/** The settings of every account. A seed can change them; over the API they are read-only (behaviour 3.7). */
export const SETTINGS: Readonly<Record<string, string>> = {
  autoAddHangouts: 'false',
  dateFieldOrder: 'MDY',
  defaultEventLength: '60',
  format24HourTime: 'false',
  hideInvitations: 'false',
  hideWeekends: 'false',
  locale: 'en',
  remindOnRespondedEventsOnly: 'false',
  showDeclinedEvents: 'true',
  timezone: 'Etc/GMT',
  useKeyboardShortcuts: 'true',
  weekStart: '0',
}

/** The further settings of a Workspace account (behaviour 15.2). The initial value is not known. */
const WORKSPACE: Readonly<Record<string, string>> = { hideInvitationsSetting: 'false' }

const MAX_CACHED_SETTINGS = 1000
const cached = boundedCache<Records<Setting>>(MAX_CACHED_SETTINGS)

/** Returns the settings of an account to which none was written: those of its kind, and its own time zone. */
export function initialSettings({
  timeZone,
  kind,
}: {
  timeZone: string
  kind?: 'consumer' | 'workspace'
}): Records<Setting> {
  return cached(`${kind} ${timeZone}`, () => {
    const records = new Records<Setting>({})
    const settings = { ...SETTINGS, ...(kind === 'workspace' && WORKSPACE), timezone: timeZone }
    for (const [id, value] of Object.entries(settings))
      records.put(id, { kind: 'calendar#setting', etag: '"0"', id, value }, 0)
    return records
  })
}
