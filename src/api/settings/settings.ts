import type { Caller, WorldData } from '../../model/worldData.ts'
import { throwApiError } from '../../schema/apiErrors.ts'
import type { Setting } from '../../schema/setting.ts'
import { collectionEtag, listByLastChange, listPage, type PageQuery } from '../../sync/paging.ts'

/** Returns a setting of the caller. Throws `loginRequired` without an account, and `notFound`. */
export function getSetting(world: WorldData, { email }: Caller, id: string): Setting {
  const setting = world.settings.of(email ?? throwApiError('loginRequired')).get(id)
  return showSetting(setting ?? throwApiError('notFound'))
}

/** The etag of an unchanged setting: 2020-05-18T15:00:00Z in microseconds (behaviour 3.10). */
export const UNCHANGED_ETAG = '"1589814000000000"'

/** Returns a setting as a reply shows it. Settings that were never written share one etag. */
const showSetting = (setting: Setting): Setting =>
  setting.etag === '"0"' ? { ...setting, etag: UNCHANGED_ETAG } : setting

/** Returns one page of the caller's settings. Throws `loginRequired` without an account. */
export function listSettings(world: WorldData, caller: Caller, query: PageQuery) {
  const email = caller.email ?? throwApiError('loginRequired')
  const settings = world.settings.of(email)
  return listPage(world, {
    list: ['settings', email],
    params: query,
    collection: settings,
    sync: { list: ['settings', email], account: email, form: 'digits' },
    entries: listByLastChange(showSetting),
    envelope: () => ({ kind: 'calendar#settings', etag: collectionEtag(settings.latest) }),
  })
}
