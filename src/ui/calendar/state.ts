import { computed, signal } from '@preact/signals'
import type { Setting } from '../../wire/setting.ts'
import { all, call } from '../client.ts'
import { overview } from '../overview.ts'
import { tell } from '../parts/toasts.tsx'
import { type Refused, refusalOf } from '../refused.ts'
import { calendarList, type Entry } from './service.ts'

/** The list of the account that the page acts as. */
export const entries = signal<readonly Entry[]>([])
export const listRefused = signal<Refused | undefined>(undefined)
/** Why the events of a calendar are not shown. */
export const refusedBy = signal<ReadonlyMap<string, Refused>>(new Map())
/** Rises when what the grid shows is to be read again. */
export const stale = signal(0)
export const refresh = (): void => {
  stale.value = stale.peek() + 1
}

/** Colours of events by their ids. */
export type Colours = Record<string, { background: string; foreground: string }>
export const colours = signal<Colours>({})

/** Whose zone the grid shows. */
export const ZONES = { calendar: "Calendar's", account: "Account's", mine: 'Mine' } as const
export const zoneOf = signal<keyof typeof ZONES>('calendar')
/** What the account has set as its zone, and as the first day of its week. */
export const accountZone = signal('UTC')
export const firstDay = signal(0)

const MINE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone of the grid: that of the first calendar which is shown, where the calendar's is asked for. */
export const zone = computed(() => {
  if (zoneOf.value === 'mine') return MINE
  if (zoneOf.value === 'account') return accountZone.value
  const shown = entries.value.find(({ primary }) => primary) ?? entries.value[0]
  return shown?.timeZone ?? accountZone.value
})

/** The calendars that are ticked. */
export const ticked = computed(() => entries.value.filter(({ selected }) => selected))

export const isWritable = ({ accessRole }: Pick<Entry, 'accessRole'>): boolean =>
  accessRole === 'owner' || accessRole === 'writer'
export const writable = computed(() => entries.value.filter(isWritable))

export const nameOf = (id: string): string => {
  const entry = entries.value.find((one) => one.id === id)
  return entry?.summaryOverride ?? entry?.summary ?? id
}

/** The day that it is in the world that is shown, and the time. */
export const now = computed(() => overview.value?.now)

/** Whose list is shown. */
let listed = ''

/** Reads the list of an account, whenever its world has changed. What comes too late, for another account, is left. */
export async function readList(name: string, by: string, changes: number): Promise<void> {
  const whose = `${name}/${by}`
  if (whose !== listed) entries.value = []
  listed = whose
  if (by === '' || changes === 0) return
  try {
    const [list, settings, { data: colors }] = await Promise.all([
      calendarList(by),
      all<Setting>({ method: 'settings.list', path: '/users/me/settings', account: by }),
      call<{ event: Colours }>({ method: 'colors.get', path: '/colors', account: by }),
    ])
    if (whose !== listed) return
    entries.value = list
    accountZone.value = settings.find(({ id }) => id === 'timezone')?.value ?? 'UTC'
    firstDay.value = Number(settings.find(({ id }) => id === 'weekStart')?.value ?? 0)
    colours.value = colors.event
    listRefused.value = undefined
    refresh()
  } catch (error) {
    listRefused.value = refusalOf(error)
  }
}

/** Ticks a calendar or takes the tick away, on the account's list as well. */
export async function tick(entry: Entry, selected: boolean): Promise<void> {
  const set = (to: boolean) => {
    entries.value = entries.peek().map((one) => (one.id === entry.id ? { ...one, selected: to } : one))
    refresh()
  }
  set(selected)
  const write = (to: boolean) =>
    call({
      ...{ method: 'calendarList.patch', verb: 'PATCH', body: { selected: to } },
      path: `/users/me/calendarList/${encodeURIComponent(entry.id)}`,
    })
  try {
    const { made } = await write(selected)
    tell({ text: `${selected ? 'Shown' : 'Not shown'}: ${nameOf(entry.id)}`, made })
  } catch (error) {
    set(!selected)
    tell({ text: `${nameOf(entry.id)} stays as it was`, refused: refusalOf(error) })
  }
}
