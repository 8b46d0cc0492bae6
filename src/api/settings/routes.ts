import type { Caller, WorldData } from '../../model/worldData.ts'
import { throwApiError } from '../../schema/apiErrors.ts'
import { PATH, SYNC_PAGING } from '../../schema/params.ts'
import { SETTINGS_READ } from '../../schema/scopes.ts'
import type { Setting } from '../../schema/setting.ts'
import { closePage, collectionEtag, listByLastChange, openPage, type PageQuery } from '../../sync/paging.ts'
import { watchOf } from '../channels/watch.ts'
import { endpoint } from '../endpoint.ts'

/** The etag of all settings that were never written: 2020-05-18T15:00:00Z in microseconds (behaviour 3.10). */
const UNCHANGED_ETAG = '"1589814000000000"'

const showSetting = (setting: Setting): Setting =>
  setting.etag === '"0"' ? { ...setting, etag: UNCHANGED_ETAG } : setting

function listSettings(world: WorldData, caller: Caller, query: PageQuery) {
  const email = caller.email ?? throwApiError('loginRequired')
  const settings = world.settings.of(email)
  const tokens = { list: ['settings', email], account: email, form: 'digits' as const }
  const page = openPage(world, tokens, query)
  const { items, ...next } = closePage(world, tokens, page, listByLastChange(world, settings, page, showSetting))
  return { kind: 'calendar#settings', etag: collectionEtag(settings.latest), ...next, items }
}

const list = endpoint({
  id: 'calendar.settings.list',
  path: '/users/me/settings',
  summary: 'Returns all user settings for the authenticated user.',
  scopes: SETTINGS_READ,
  params: SYNC_PAGING,
  response: 'Settings',
  subscription: true,
  handle: ({ world, caller, params }) => listSettings(world, caller, params),
})

export const settings = [
  endpoint({
    id: 'calendar.settings.get',
    path: '/users/me/settings/{setting}',
    summary: 'Returns a single user setting.',
    scopes: SETTINGS_READ,
    params: { setting: PATH },
    response: 'Setting',
    handle({ world, caller, params }) {
      const setting = world.settings.of(caller.email ?? throwApiError('loginRequired')).get(params.setting)
      return showSetting(setting ?? throwApiError('notFound'))
    },
  }),
  list,
  watchOf(list, 'settings', 'Watches for changes to the settings.'),
]
