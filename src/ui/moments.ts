const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
const LONG = { ...DAY, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

const format = (options: Intl.DateTimeFormatOptions, timeZone?: string) =>
  new Intl.DateTimeFormat('en-GB', { ...options, ...(timeZone !== undefined && { timeZone }) })
const here = format(LONG)
const days = format(DAY, 'UTC')

/** An instant as one reads it, in the zone of whoever looks. */
export const instant = (text: string): string => here.format(new Date(text))

/** The beginning or the end of an event as one reads it, in its own zone where it has one. */
export function moment({ date, dateTime, timeZone }: Moment): string {
  if (date !== undefined) return days.format(new Date(`${date}T00:00:00Z`))
  if (dateTime === undefined) return ''
  return (timeZone === undefined ? here : format(LONG, timeZone)).format(new Date(dateTime))
}

type Moment = { date?: string | undefined; dateTime?: string | undefined; timeZone?: string | undefined }
