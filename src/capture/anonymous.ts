import { isPublicCalendar } from '../api/calendars/publicCalendars.ts'
import { isZone } from '../recurrence/zone.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { StandIns } from './words.ts'

/** What stands in a place of a seed stays as it is, where it is of this kind: it says when, how or what for, and not what. */
const KEPT: readonly (readonly [place: RegExp, value: RegExp | ((text: string) => boolean)])[] = [
  [/\.timeZone$|settings\.timezone$/, isZone],
  [/(start|end|originalStartTime)\.(date|dateTime)$|\.created$/, /^[-\dTtZz:.+]+$/],
  [/\.recurrence$/, /^(RRULE|EXRULE|RDATE|EXDATE)([;:=,+\-\dA-Z]|TZID=[\w/+-]+)*$/],
  [/\.status$/, /^(confirmed|tentative|cancelled)$/],
  [/\.(transparency|visibility)$/, /^(opaque|transparent|default|public|private|confidential)$/],
  [/\.eventType$/, /^(default|focusTime|outOfOffice|workingLocation|birthday|fromGmail)$/],
  [/\.responseStatus$/, /^(needsAction|declined|tentative|accepted)$/],
  [/\.role$/, /^(none|freeBusyReader|reader|writerWithoutPrivateAccess|writer|owner)$/],
  [/\.scope\.type$/, /^(default|user|group|domain)$/],
  [/\.(colorId|backgroundColor|foregroundColor)$/, /^(\d{1,2}|#[\da-f]{6})$/i],
  [/(overrides|defaultReminders|notifications)\.method$/, /^(popup|email|sms)$/],
  [/notifications\.type$/, /^(event(Creation|Change|Cancellation|Response)|agenda)$/],
  [
    /conferenceSolution(Key)?(\.key)?\.type$|allowedConferenceSolutionTypes$/,
    /^(addOn|hangoutsMeet|event(Named)?Hangout)$/,
  ],
  [/\.conferenceSolution\.name$/, /^Google Meet$/],
  [/\.entryPointType$/, /^(video|phone|sip|more)$/],
  [/\.statusCode$/, /^(success|pending|failure)$/],
  [/\.regionCode$/, /^[A-Z]{2}$/],
  [/LocationProperties\.type$/, /^(homeOffice|officeLocation|customLocation)$/],
  [/\.autoDeclineMode$/, /^decline(None|AllConflictingInvitations|OnlyNewConflictingInvitations)$/],
  [/\.chatStatus$/, /^(available|doNotDisturb)$/],
  [/birthdayProperties\.type$/, /^(anniversary|birthday|custom|other|self)$/],
  [/\.gadget\.display$/, /^(icon|chip)$/],
  [/\.mimeType$/, /^(application\/(pdf|vnd\.google-apps\.[a-z]+)|image\/(png|jpeg)|text\/(plain|html))$/],
  [/\.dayOfWeek$/, /^[a-z]{3,9}$/i],
  [/^accounts\.kind$/, /^(consumer|workspace)$/],
  [/^accounts\.settings\.\w+$/, /^(true|false|\d{1,4}|[MDY]{3}|[a-z]{2,3}([-_][A-Z][A-Za-z]{1,3})?)$/],
  [/(^calendars|calendarList)\.id$|\.calendarId$/, isPublicCalendar],
]

/** What clients keep in fields of their own is text, whatever it looks like. */
const THEIRS = /\.(extendedProperties|preferences|parameters)\./

/** Ids, of which nothing is kept but which they are; of instances and of the later parts of a series the time stays. */
const ID = /\.events\.(id|recurringEventId|iCalUID|eventLabelId)$|\.reminders\.eventId$|\.eventLabels\.id$/
const ID_PARTS = /^(_?)(.*?)((?:_R?\d{8}(?:T\d{6}Z?)?)*(?:@google\.com)?)$/s

/**
 * What is the service's own, whoever writes it: the domains of its calendars, its pages, the first part of links, and
 * the marks of HTML and their names. Of all else letters and digits are replaced, and signs that say something.
 */
const PIECES = new RegExp(
  [
    String.raw`(?<own>@(?:group|group\.v|import|resource)\.calendar\.google\.com\b`,
    String.raw`|\bhttps?:\/\/(?:(?:meet|calendar|drive|docs|www)\.google\.com(?=[/?#]|$))?|\b(?:tel|sips?|mailto):`,
    String.raw`|<\/?(?:a|b|br|div|em|h[1-6]|hr|i|li|ol|p|span|strong|table|tbody|td|tr|u|ul)(?=[\s/>])| href=|&(?:amp|lt|gt|quot|nbsp);)`,
    String.raw`|(?<word>[\p{L}\p{M}]+)|(?<number>\d+)|(?<other>[^\p{L}\p{M}\d\p{Z}\p{P}\p{Cc}\p{Cf}$+<=>^|~\x60]+)`,
  ].join(''),
  'giu',
)

/** A seed in which nobody and nothing is named as it was: lengths, domains, links and who is the same stay recognizable. */
export function anonymized(seed: Seed): Seed {
  const originals = new Set<string>()
  const addresses: string[] = []
  walk(seed, '', (text, place) => {
    if (isKept(text, place) || ID.test(place)) return text
    if (/@/.test(text)) addresses.push(text)
    for (const { groups } of text.matchAll(PIECES)) {
      const piece = (groups?.word ?? groups?.number ?? '').toLowerCase()
      if (piece.length > 2) originals.add(piece)
    }
    return text
  })
  const standIns = new StandIns(originals)
  // Whoever is somebody gets a name of their own before texts use them up.
  for (const address of addresses) replaced(address, standIns)
  return walk(seed, '', (text, place) => {
    if (isKept(text, place)) return text
    return ID.test(place) ? replacedId(text, standIns) : replaced(text, standIns)
  })
}

const isKept = (text: string, place: string): boolean =>
  !THEIRS.test(place) &&
  KEPT.some(([where, value]) => where.test(place) && (typeof value === 'function' ? value(text) : value.test(text)))

function replacedId(id: string, standIns: StandIns): string {
  const [, mark = '', own = '', rest = ''] = ID_PARTS.exec(id) ?? []
  return mark + (/^[a-v0-9]+$/.test(own) ? standIns.id(own) : replaced(own, standIns)) + rest
}

const replaced = (text: string, standIns: StandIns): string =>
  text.replace(PIECES, (piece, ...more) => {
    const { own, word, number } = more.at(-1) as Record<string, string | undefined>
    if (own !== undefined) return piece
    if (word !== undefined) return standIns.word(word)
    return number !== undefined ? standIns.number(number) : '·'.repeat(piece.length)
  })

type Reading = (text: string, place: string) => string

/** The same data with other texts; lists have no places of their own. */
function walk<T>(data: T, place: string, read: Reading): T
function walk(data: unknown, place: string, read: Reading): unknown {
  if (typeof data === 'string') return read(data, place)
  if (Array.isArray(data)) return data.map((item) => walk(item, place, read))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, walk(value, place ? `${place}.${name}` : name, read)]),
  )
}
