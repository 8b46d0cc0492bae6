/** The clock of the service: no other part of it reads the time of the machine. */
export interface Time {
  /** Milliseconds since the epoch. */
  now(): number
  sleep(length: number): Promise<void>
  /** Calls `act` after some milliseconds. Returns a function that cancels it. */
  after(length: number, act: () => void): () => void
}

export const machineTime: Time = {
  now: () => Date.now(),
  sleep: (length) => new Promise((resolve) => setTimeout(resolve, length)),
  after(length, act) {
    const timer = setTimeout(act, length)
    return () => clearTimeout(timer)
  },
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

/** From one instant up to another, in milliseconds since the epoch. */
export type Span = { start: number; end: number }

export const overlap = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end

/** Formats an instant for the API. */
export const written = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`

/** Formats an instant for a rule: `20261026T075959Z`. */
export const basic = (instant: number): string => written(instant).replace(/[-:]/g, '')

/** Returns the first instant of a day in a zone. */
export function midnight(day: string, zone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  // The offset at midnight UTC can be wrong near a clock change; the second step corrects it.
  const guess = utc - offset(utc, zone)
  return utc - offset(guess, zone)
}

/** By how much the clocks of a zone are ahead of UTC. */
function offset(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(instant)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
  if (!sign) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE)
}

export const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR).toISOString().slice(0, 10)
