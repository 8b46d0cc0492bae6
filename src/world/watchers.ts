import { atLeast, roleOf } from './access.ts'
import type { World } from './world.ts'

/** Whom mails come from that nobody caused. */
export const SERVICE = 'calendar-notification@google.com'

/** The accounts that have a calendar on their list and may read it. */
export function watchersOf(world: World, calendarId: string): string[] {
  const named = new Set<string>()
  for (const { scope, role } of world.acl.get(calendarId)?.values() ?? []) {
    if (!atLeast(role, 'reader')) continue
    if (scope.type === 'user') named.add(scope.value ?? '')
    else if (scope.type === 'group')
      for (const email of world.groups.get(scope.value ?? '')?.members ?? []) named.add(email)
    else for (const { email } of world.accounts.values()) named.add(email)
  }
  return [...named].filter((email) => isWatching(world, email, calendarId))
}

/** Whether an account has a calendar on its list, and may read it. */
export function isWatching(world: World, email: string, calendarId: string): boolean {
  const entry = world.lists.get(email)?.get(calendarId)
  return entry !== undefined && !entry.deleted && atLeast(roleOf(world, calendarId, { email }), 'reader')
}
