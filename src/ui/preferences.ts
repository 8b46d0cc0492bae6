import { effect, signal } from '@preact/signals'

/** Preferences of the person at this browser. They belong to no world. */

export type Theme = 'system' | 'light' | 'dark'

/** The zones that a page can show times in. */
export const ZONE_CHOICES = {
  calendar: 'calendar',
  account: 'account',
  utc: 'UTC',
  browser: 'browser',
} as const
export type ZoneChoice = keyof typeof ZONE_CHOICES

/** Returns a signal whose value is kept in the browser, where that is allowed. */
function storedSignal<T extends string>(name: string, initial: T, isValid: (text: string) => boolean) {
  const key = `fake-calendar.${name}`
  const stored = attempt(() => localStorage.getItem(key))
  const value = signal<T>(stored && isValid(stored) ? (stored as T) : initial)
  effect(() => {
    const text = value.value
    attempt(() => localStorage.setItem(key, text))
  })
  return value
}

/** Browsers may forbid access to the storage. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

export const theme = storedSignal<Theme>('theme', 'system', (text) => /^(system|light|dark)$/.test(text))
export const zoneChoice = storedSignal<ZoneChoice>('zone', 'calendar', (text) => Object.hasOwn(ZONE_CHOICES, text))

/** True if the journal records the inspector's reads. It is off after a reload. */
export const recordReads = signal(false)

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

const isDark = (): boolean =>
  theme.peek() === 'dark' || (theme.peek() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)

export const toggleTheme = (): void => {
  theme.value = isDark() ? 'light' : 'dark'
}
