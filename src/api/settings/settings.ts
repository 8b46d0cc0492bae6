import type { Caller, WorldData } from '../../model/worldData.ts'
import { throwApiError } from '../../schema/apiErrors.ts'
import type { Setting } from '../../schema/setting.ts'
import { closePage, collectionEtag, listByLastChange, openPage, type PageQuery } from '../../sync/paging.ts'

/** Throws `loginRequired` without an account, and `notFound`. */
export function getSetting(world: WorldData, { email }: Caller, id: string): Setting {
  const setting = world.settings.of(email ?? throwApiError('loginRequired')).get(id)
  return showSetting(setting ?? throwApiError('notFound'))
}

/** The etag of an unchanged setting: 2020-05-18T15:00:00Z in microseconds (behaviour 3.10). */
export const UNCHANGED_ETAG = '"1589814000000000"'

/** Settings that were never written share one etag. */
const showSetting = (setting: Setting): Setting =>
  setting.etag === '"0"' ? { ...setting, etag: UNCHANGED_ETAG } : setting

/** Throws `loginRequired` without an account. */
export function listSettings(world: WorldData, caller: Caller, query: PageQuery) {
  const email = caller.email ?? throwApiError('loginRequired')
  const settings = world.settings.of(email)
  const tokens = { list: ['settings', email], account: email, form: 'digits' as const }
  const page = openPage(world, tokens, query)
  const { items, ...next } = closePage(world, tokens, page, listByLastChange(world, settings, page, showSetting))
  return { kind: 'calendar#settings', etag: collectionEtag(settings.latest), ...next, items }
}
