import { PATH, SYNC_PAGING } from '../../schema/params.ts'
import { SETTINGS_READ } from '../../schema/scopes.ts'
import { watchOf } from '../channels/watch.ts'
import { endpoint } from '../endpoint.ts'
import { getSetting, listSettings } from './settings.ts'

const list = endpoint({
  id: 'calendar.settings.list',
  verb: 'GET',
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
    verb: 'GET',
    path: '/users/me/settings/{setting}',
    summary: 'Returns a single user setting.',
    scopes: SETTINGS_READ,
    params: { setting: PATH },
    response: 'Setting',
    handle: ({ world, caller, params }) => getSetting(world, caller, params.setting),
  }),
  list,
  watchOf(list, 'settings', 'Watches for changes to the settings.'),
]
