import { collectionEtag, type PageQuery, page } from '../sync/paging.ts'
import { listName } from '../sync/tokens.ts'
import { refuse } from '../wire/refusals.ts'
import type { Setting } from '../wire/setting.ts'
import type { Account, Caller, World } from './world.ts'

/** What every account has set until something else is seeded: over the API settings are read-only (behaviour 3.7). */
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

/** What a Workspace account has besides (behaviour 15.2); the value that a new one has is not known. */
const WORKSPACE: Readonly<Record<string, string>> = { hideInvitationsSetting: 'false' }

/** The settings of a new account: those of its kind, and its own time zone. Nobody has written them. */
export function addSettings(
  world: World,
  email: string,
  { timezone, kind }: { timezone: string; kind?: Account['kind'] | undefined },
): void {
  const settings = { ...SETTINGS, ...(kind === 'workspace' && WORKSPACE), timezone }
  for (const [id, value] of Object.entries(settings)) {
    if (world.settings.of(email).get(id)) continue
    world.settings.of(email).restore(id, { kind: 'calendar#setting', etag: '"0"', id, value }, 0)
  }
}

export const setSetting = (world: World, email: string, id: string, value: string): Setting =>
  world.settings.of(email).put(id, (revision) => ({ kind: 'calendar#setting', etag: `"${revision}"`, id, value }))

export function getSetting(world: World, { email }: Caller, id: string): Setting {
  return world.settings.of(email ?? refuse('loginRequired')).get(id) ?? refuse('notFound')
}

export function listSettings(world: World, caller: Caller, query: PageQuery) {
  const email = caller.email ?? refuse('loginRequired')
  const settings = world.settings.of(email)
  const shown = page(
    world,
    settings,
    { list: listName('settings', email), account: email, form: 'digits', query },
    (setting) => setting,
  )
  return { kind: 'calendar#settings', etag: collectionEtag(settings.latest), ...shown }
}
