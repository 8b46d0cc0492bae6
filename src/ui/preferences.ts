import { effect, signal } from '@preact/signals'

type Theme = 'system' | 'light' | 'dark'

export const ZONE_CHOICES = {
  calendar: 'calendar',
  account: 'account',
  utc: 'UTC',
  browser: 'browser',
} as const
export type ZoneChoice = keyof typeof ZONE_CHOICES

/**
 * Kept in local storage as `fake-calendar.<name>`. Starts with the stored text if that is valid. If the browser forbids storage,
 * the value lasts until a reload.
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

/** Browsers may forbid local storage, which then throws. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

export const theme = storedSignal<Theme>('theme', 'system', (text) => /^(system|light|dark)$/.test(text))
export const zoneChoice = storedSignal<ZoneChoice>('zone', 'calendar', (text) => Object.hasOwn(ZONE_CHOICES, text))

effect(() => {
  document.documentElement.dataset.theme = theme.value
})

/** By the theme or, for `system`, by the browser's setting. */
const isDark = (): boolean =>
  theme.peek() === 'dark' || (theme.peek() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)

export const toggleTheme = (): void => {
  theme.value = isDark() ? 'light' : 'dark'
}
