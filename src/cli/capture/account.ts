import { SETTINGS } from '../../model/collections.ts'
import { COLORS, entryColor } from '../../model/events/fieldValues.ts'
import type { SeedAccount } from '../../seeds/schema/seed.ts'
import { CaptureError } from './captureError.ts'
import type { Service, ServiceResource } from './service.ts'
import { compareByJson, toNonEmptyText } from './values.ts'

export type CapturedAccount = {
  email: string
  service: Service
  listedIds: readonly string[]
  /** Entries as the service returns them: the primary one first, then by id. */
  entries: readonly ServiceResource[]
  account: SeedAccount
}

const WORKSPACE_SETTING = 'hideInvitationsSetting'

/**
 * `isWanted` selects secondary calendars by id. Rejects with a CaptureError if the service cannot be read, or the
 * account has no readable primary calendar.
 */
export async function captureAccount(service: Service, isWanted: (id: string) => boolean): Promise<CapturedAccount> {
  const primary = (await service.read('/users/me/calendarList/primary')) ?? (await service.read('/calendars/primary'))
  const email = toNonEmptyText(primary?.id)
  if (!email) throw new CaptureError('--token: the token cannot read a primary calendar (it needs a calendar scope)')
  const all = await service.list('/users/me/calendarList', { maxResults: '250', showHidden: 'true' })
  const settings = (await service.list('/users/me/settings', { maxResults: '250' })) ?? []
  const values = settings.flatMap(({ id, value }) =>
    toNonEmptyText(id) && typeof value === 'string' ? [[`${id}`, value]] : [],
  )
  const known = values.filter(([id = '']) => Object.hasOwn(SETTINGS, id) || id === WORKSPACE_SETTING)
  const listed = all?.toSorted(comparePrimaryFirst) ?? [{ ...primary, primary: true, accessRole: 'owner' }]
  const entries = listed.filter(({ id, primary }) => primary === true || isWanted(String(id)))
  const [, timeZone] = known.find(([id]) => id === 'timezone') ?? []
  return {
    email,
    service,
    listedIds: listed.map(({ id }) => String(id)),
    entries,
    account: {
      email,
      ...(timeZone && { timeZone }),
      ...(known.some(([id]) => id === WORKSPACE_SETTING) && { kind: 'workspace' as const }),
      settings: Object.fromEntries(
        known.filter(([id = '', value]) => id !== 'timezone' && value !== SETTINGS[id]).toSorted(compareByJson),
      ),
      calendarList: entries.map((entry) => toListEntry(entry)),
    },
  }
}

const comparePrimaryFirst = (one: ServiceResource, other: ServiceResource): number =>
  Number(other.primary === true) - Number(one.primary === true) || compareByJson(one.id, other.id)

type SeedEntry = NonNullable<SeedAccount['calendarList']>[number]

/** Fields that the service omits stay omitted, because they have defaults of their own. */
function toListEntry(entry: ServiceResource): SeedEntry {
  const { id, summaryOverride, colorId, backgroundColor, foregroundColor, defaultReminders, notificationSettings } =
    entry
  const named = Object.hasOwn(COLORS.calendar, String(colorId)) ? entryColor(String(colorId)) : undefined
  const isNamed =
    named !== undefined && named.backgroundColor === backgroundColor && named.foregroundColor === foregroundColor
  return {
    id: String(id),
    ...(toNonEmptyText(summaryOverride) && { summaryOverride: toNonEmptyText(summaryOverride) }),
    ...(isNamed
      ? { colorId: String(colorId) }
      : toNonEmptyText(backgroundColor) && {
          backgroundColor: toNonEmptyText(backgroundColor),
          foregroundColor: toNonEmptyText(foregroundColor),
        }),
    ...(entry.primary === true ? {} : { hidden: entry.hidden === true }),
    selected: entry.selected === true,
    ...(Array.isArray(defaultReminders) && { defaultReminders }),
    notificationSettings: (notificationSettings ?? { notifications: [] }) as NonNullable<
      SeedEntry['notificationSettings']
    >,
  }
}
