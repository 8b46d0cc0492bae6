import { DAY } from './days.ts'

/** How many days, and how many times of day, are remembered as text. */
const MOST = 10_000
const SECONDS = DAY / 1000

/** Work on numbers whose answers are asked for again and again. */
function remembered<T>(work: (asked: number) => T): (asked: number) => T {
  const known = new Map<number, T>()
  return (asked) => {
    const found = known.get(asked)
    if (found !== undefined) return found
    if (known.size >= MOST) known.clear()
    const answer = work(asked)
    known.set(asked, answer)
    return answer
  }
}

const padded = (number: number, length: number): string => String(number).padStart(length, '0')

/** Text in the form that people read, `2026-03-09`, and in the one without signs, `20260309`. */
type Written = { long: string; short: string }

const short = (long: string): Written => ({ long, short: long.replace(/[-:]/g, '') })
const inIso = (instant: number): string => new Date(instant).toISOString().slice(0, -5)

const dates = remembered((day) => short(inIso(day * DAY).split('T')[0] ?? ''))
const times = remembered((second) => short(inIso(second * 1000).slice(10)))

const asText = (form: keyof Written, milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000)
  const day = Math.floor(seconds / SECONDS)
  return dates(day)[form] + times(seconds - day * SECONDS)[form]
}

/** A text that is kept: one that is put together by `+` holds on to its parts, which weigh more than it does. */
export const inOnePiece = (...parts: (string | number)[]): string => parts.join('')

/** `2026-03-09T13:00:00`, in whole seconds. */
export const momentText = (milliseconds: number): string => asText('long', milliseconds)

/** `2026-03-09T13:00:00.250Z`, to be kept: many records are of one moment. */
export const instantText = remembered((milliseconds) =>
  inOnePiece(momentText(milliseconds), '.', padded(milliseconds % 1000, 3), 'Z'),
)

/** `20260309T130000`. */
export const momentStamp = (milliseconds: number): string => asText('short', milliseconds)

/** How far a clock is from UTC: `-05:00`. */
export const offsetText = remembered((offset) => {
  const minutes = Math.trunc(Math.abs(offset) / 60_000)
  const [hour, minute] = [Math.trunc(minutes / 60), minutes % 60].map((part) => padded(part, 2))
  return `${offset < 0 ? '-' : '+'}${hour}:${minute}`
})

export const dateText = (milliseconds: number): string => dates(Math.floor(milliseconds / DAY)).long
export const dateStamp = (milliseconds: number): string => dates(Math.floor(milliseconds / DAY)).short

const FORM = [...'0000-00-00T00:00:00Z'].map((sign) => sign.charCodeAt(0))
const ZERO = 48
const isDigit = (code: number): boolean => code >= ZERO && code < ZERO + 10

/** The midnight of `20260309`, and how far from one `130000` is. */
const midnights = remembered((date) => Date.parse(padded(date, 8).replace(/(....)(..)(..)/, '$1-$2-$3T00:00:00Z')))
const sinceMidnight = remembered((time) => Date.parse(padded(time, 6).replace(/(..)(..)(..)/, '1970-01-01T$1:$2:$3Z')))

/** The instant of `2026-03-09T13:00:00Z`, read digit by digit; of text in any other form what Date says. */
export function readUtc(text: string): number {
  if (text.length !== FORM.length) return Date.parse(text)
  let [date, time] = [0, 0]
  for (let at = 0; at < FORM.length; at++) {
    const code = text.charCodeAt(at)
    if (FORM[at] !== ZERO) {
      if (FORM[at] !== code) return Date.parse(text)
    } else if (!isDigit(code)) return Date.parse(text)
    else if (at < 10) date = date * 10 + code - ZERO
    else time = time * 10 + code - ZERO
  }
  return midnights(date) + sinceMidnight(time)
}
