import type { Setting } from '../schema/setting.ts'
import { initialSettings } from './collections.ts'
import type { Account, WorldData } from './worldData.ts'

/** Settings that an account lacks since its kind changed. The change log does not get them. */
export function addMissingSettings(world: WorldData, account: Account): void {
  const settings = world.settings.of(account.email)
  for (const setting of initialSettings(account).values())
    if (!settings.get(setting.id)) settings.restore(setting.id, { ...setting }, 0)
}

export const setSetting = (world: WorldData, email: string, id: string, value: string): Setting =>
  world.settings.of(email).put(id, (revision) => ({ kind: 'calendar#setting', etag: `"${revision}"`, id, value }))
