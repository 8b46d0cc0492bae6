import { digest } from '../../model/ids.ts'
import { addressOf } from '../../schema/values/address.ts'

const EMAIL = /^[^\s@]+@[^\s@]+$/

/** The accounts and calendars that an imported file may belong to. */
export type KnownCalendars = {
  accounts: readonly string[]
  calendars: readonly { id: string; summary?: string | null | undefined; owner?: string | null | undefined }[]
}

/** The calendar that takes an imported file: the address of its owner, its id, and its name if it is new. */
export type CalendarTarget = { owner: string; calendar: string; name?: string | undefined }

type TargetOptions = { owner?: string | undefined; calendar?: string | undefined }

/**
 * Returns the calendar that takes a file. Without `calendar`, it is a new one: named by X-WR-CALNAME unless that is an
 * address, else by `fileName`. Without `owner`, it is the address in X-WR-CALNAME or `fileName`, else the first account.
 */
export function importTarget(
  { owner, calendar }: TargetOptions,
  { calname, fileName }: { calname: string | undefined; fileName: string },
  { accounts, calendars }: KnownCalendars,
): CalendarTarget {
  const address = [owner, fileName, calname, ...accounts].find((one) => one !== undefined && EMAIL.test(one))
  const known = addressOf(address ?? 'alice@example.com')
  if (calendar !== undefined) {
    const named = calendars.find(({ summary, owner }) => summary === calendar && addressOf(owner ?? '') === known)
    return { owner: known, calendar: named?.id ?? calendar }
  }
  const name = calname === undefined || EMAIL.test(calname) ? fileName : calname
  const ids = new Set(calendars.map(({ id }) => id))
  let id = calendarIdOf(known, name)
  for (let nth = 2; ids.has(id); nth++) id = calendarIdOf(known, `${name} ${nth}`)
  return { owner: known, calendar: id, name }
}

/** Returns the id of an owner's calendar by its name. Equal owners and names give equal ids. */
export const calendarIdOf = (owner: string, name: string): string =>
  `c_${digest(`${addressOf(owner)}\n${name}`, 'sha1')}@group.calendar.google.com`
