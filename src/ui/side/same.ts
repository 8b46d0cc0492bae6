import { computed, signal } from '@preact/signals'
import type { Shown } from '../calendar/service.ts'
import { shown } from './people.ts'

/** An event as an account sees it on a calendar of its list. */
export type Seen = { email: string; calendar: string; event: Shown }

/** What each account sees of the days that are shown. */
export const seen = signal<ReadonlyMap<string, readonly Seen[]>>(new Map())

/** The event whose copies are looked at: they have their iCalUID in common. */
export const uid = signal('')

/** Every copy of it that one of the accounts sees, as they stand; of several instances, the first. */
export const copies = computed(() =>
  shown.value.flatMap((email) => {
    const found = new Map<string, Seen>()
    for (const one of seen.value.get(email) ?? [])
      if (one.event.iCalUID === uid.value && !found.has(one.calendar)) found.set(one.calendar, one)
    return [...found.values()]
  }),
)
