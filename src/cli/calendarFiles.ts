import { isEmail } from '../oauth/credentials.ts'
import { CommandError } from './commandError.ts'

/** An iCalendar file and its target calendar, from `--ics`, `--owner` and `--calendar`. */
export type CalendarFile = { file: string; owner: string | undefined; calendar: string | undefined }

/** Pairs the files of `--ics` with their owners and calendars. Throws a CommandError if the counts differ. */
export function calendarFilesOf({ ics = [], owner = [], calendar = [] }: CalendarOptions): CalendarFile[] {
  for (const [name, values] of Object.entries({ owner, calendar })) {
    if (values.length > 0 && ics.length === 0) throw new CommandError(`--${name}: requires --ics`)
    if (values.length > 1 && values.length !== ics.length) {
      throw new CommandError(
        `--${name}: ${values.length} for ${ics.length} files of --ics (expected one, or one for each)`,
      )
    }
  }
  const wrong = owner.find((one) => !isEmail(one))
  if (wrong !== undefined) throw new CommandError(`--owner: not an e-mail address: ${wrong}`)
  const isEmpty = (text: string) => text.trim() === ''
  if (calendar.some(isEmpty)) throw new CommandError('--calendar: it is empty (expected primary, a name or an id)')
  if (ics.some(isEmpty)) throw new CommandError('--ics: it is empty (expected an iCalendar file)')
  return ics.map((file, at) => ({
    file,
    owner: owner[at] ?? owner[0],
    calendar: calendar[at] ?? calendar[0],
  }))
}

type CalendarOptions = { ics?: string[] | undefined; owner?: string[] | undefined; calendar?: string[] | undefined }
