import { effect, signal } from '@preact/signals'

/** Preferences of the user of this browser. They apply to all worlds. */

export type Theme = 'system' | 'light' | 'dark'

/** The zones that times can be shown in, with the words that the header prints for them. */
export const ZONE_CHOICES = {
  calendar: 'calendar',
  account: 'account',
  utc: 'UTC',
  browser: 'browser',
} as const
export type ZoneChoice = keyof typeof ZONE_CHOICES

/**
 * Returns a signal whose value is kept in the browser's local storage as `fake-calendar.<name>`. It starts with the stored
 * text if that is valid, else with `initial`. If the browser forbids storage, the value lasts until a reload.
 */
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

/** Returns the result of an access to local storage; undefined if it throws, because browsers may forbid it. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

export const theme = storedSignal<Theme>('theme', 'system', (text) => /^(system|light|dark)$/.test(text))
export const zoneChoice = storedSignal<ZoneChoice>('zone', 'calendar', (text) => Object.hasOwn(ZONE_CHOICES, text))

/** True if the server records the inspector's own reads in the journal. It is false again after a reload. */
export const recordReads = signal(false)

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

/** Returns true if the page is dark now, by the theme or, for `system`, by the browser's setting. */
const isDark = (): boolean =>
  theme.peek() === 'dark' || (theme.peek() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)

/** Switches between the light and the dark theme, and stores the new one. The theme is no longer `system` then. */
export const toggleTheme = (): void => {
  theme.value = isDark() ? 'light' : 'dark'
}
