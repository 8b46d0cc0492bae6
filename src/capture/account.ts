import { COLORS, entryColor } from '../model/colors.ts'
import type { SeedAccount } from '../wire/seeds/seed.ts'
import { SETTINGS } from '../world/settings.ts'
import { CaptureError } from './captureError.ts'
import type { Service, Shown } from './service.ts'

/** Somebody whose token there is: who they are, what is on their list, and how they see calendars. */
export type Captured = {
  email: string
  service: Service
  /** The ids of all on their list, and the entries of those that are captured. */
  listed: readonly string[]
  entries: readonly Shown[]
  account: SeedAccount
}

/** What only the accounts of an organization have set. */
const WORKSPACE_SETTING = 'hideInvitationsSetting'

export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** An account, its settings, and its list with what is its own in each entry. */
export async function captureAccount(service: Service, wanted: (id: string) => boolean): Promise<Captured> {
  const primary = (await service.read('/users/me/calendarList/primary')) ?? (await service.read('/calendars/primary'))
  const email = text(primary?.id)
  if (!email) throw new CaptureError('--token: the token leads to no primary calendar (has it a scope of calendars?)')
  const all = await service.list('/users/me/calendarList', { maxResults: '250', showHidden: 'true' })
  const settings = (await service.list('/users/me/settings', { maxResults: '250' })) ?? []
  const values = settings.flatMap(({ id, value }) => (text(id) && typeof value === 'string' ? [[`${id}`, value]] : []))
  const known = values.filter(([id = '']) => Object.hasOwn(SETTINGS, id) || id === WORKSPACE_SETTING)
  const listed = all ?? [{ ...primary, primary: true, accessRole: 'owner' }]
  const entries = listed.filter(({ id, primary }) => primary === true || wanted(String(id)))
  const [, timeZone] = known.find(([id]) => id === 'timezone') ?? []
  return {
    email,
    service,
    listed: listed.map(({ id }) => String(id)),
    entries,
    account: {
      email,
      ...(timeZone && { timeZone }),
      ...(known.some(([id]) => id === WORKSPACE_SETTING) && { kind: 'workspace' as const }),
      settings: Object.fromEntries(known.filter(([id = '', value]) => id !== 'timezone' && value !== SETTINGS[id])),
      calendarList: entries.map((entry) => ownPart(entry)),
    },
  }
}

type SeedEntry = NonNullable<SeedAccount['calendarList']>[number]

/** What an account has said of a calendar on its list: all of it, since what is not said has a default of its own. */
function ownPart(entry: Shown): SeedEntry {
  const { id, summaryOverride, colorId, backgroundColor, foregroundColor, defaultReminders, notificationSettings } =
    entry
  const named = Object.hasOwn(COLORS.calendar, String(colorId)) ? entryColor(String(colorId)) : undefined
  const isNamed = named?.backgroundColor === backgroundColor && named?.foregroundColor === foregroundColor
  return {
    id: String(id),
    ...(text(summaryOverride) && { summaryOverride: text(summaryOverride) }),
    ...(isNamed
      ? { colorId: String(colorId) }
      : { backgroundColor: text(backgroundColor), foregroundColor: text(foregroundColor) }),
    ...(entry.primary === true ? {} : { hidden: entry.hidden === true }),
    selected: entry.selected === true,
    ...(Array.isArray(defaultReminders) && { defaultReminders }),
    notificationSettings: (notificationSettings ?? { notifications: [] }) as NonNullable<
      SeedEntry['notificationSettings']
    >,
  }
}
