import { isPublicCalendar } from '../../api/calendars/publicCalendars.ts'
import { isZone } from '../../recurrence/zone.ts'
import type { Event } from '../../schema/event.ts'
import { EVENT_TYPE_VALUES } from '../../schema/eventTypeValues.ts'
import { isObject } from '../../schema/values/json.ts'
import type { Seed } from '../../seeds/schema/seed.ts'

type Pattern = RegExp | ((text: string) => boolean)

const TIME = /^[-\dTtZz:.+]+$/

/** The values of an event's own fields that identify nobody. Those of any other field are replaced. */
const KEPT_FIELDS: Partial<Record<keyof Event, Pattern>> = {
  status: /^(confirmed|tentative|cancelled)$/,
  created: TIME,
  colorId: /^\d{1,2}$/,
  start: TIME,
  end: TIME,
  recurrence: hasOnlyRulesAndTimes,
  originalStartTime: TIME,
  transparency: /^(opaque|transparent)$/,
  visibility: /^(default|public|private|confidential)$/,
  eventType: (text) => EVENT_TYPE_VALUES.some((type) => type === text),
}

function hasOnlyRulesAndTimes(line: string): boolean {
  const [, zone] = /^(?:RRULE|EXRULE|RDATE|EXDATE)(?:;VALUE=[A-Z-]+)?(?:;TZID=([\w/+-]+))?[;:=,+\-\dA-Z]*$/.exec(
    line,
  ) ?? [line]
  return zone === undefined ? /^(?:RRULE|EXRULE|RDATE|EXDATE)[;:=,+\-\dA-Z]*$/.test(line) : isZone(zone)
}

/**
 * Other values that identify nobody, because they describe a time, a kind or a purpose. `place` matches the keys that lead to
 * the value.
 */
const KEPT_VALUES: readonly (readonly [place: RegExp, value: Pattern])[] = [
  [/\.timeZone$|settings\.timezone$/, isZone],
  [/\.responseStatus$/, /^(needsAction|declined|tentative|accepted)$/],
  [/\.(statusCode|chatStatus)$/, /^(success|pending|failure|available|doNotDisturb)$/],
  [/\.role$/, /^(none|freeBusyReader|reader|writerWithoutPrivateAccess|writer|owner)$/],
  [/(scope|LocationProperties)\.type$/, /^(default|user|group|domain|homeOffice|officeLocation|customLocation)$/],
  [/\.(colorId|backgroundColor|foregroundColor)$/, /^(\d{1,2}|#[\da-f]{6})$/i],
  [/\.(method|entryPointType|gadget\.display)$/, /^(popup|email|sms|video|phone|sip|more|icon|chip)$/],
  [/notifications\.type$/, /^(event(Creation|Change|Cancellation|Response)|agenda)$/],
  [/conferenceSolution(Key)?(\.key)?\.type$|SolutionTypes$/, /^(addOn|hangoutsMeet|event(Named)?Hangout)$/],
  [/\.conferenceSolution\.name$/, /^Google Meet$/],
  [/\.autoDeclineMode$/, /^decline(None|AllConflictingInvitations|OnlyNewConflictingInvitations)$/],
  [/birthdayProperties\.type$|^accounts\.kind$/, /^(anniversary|birthday|custom|other|self|consumer|workspace)$/],
  [/\.mimeType$/, /^(application\/(pdf|vnd\.google-apps\.[a-z]+)|image\/(png|jpeg)|text\/(plain|html))$/],
  [/\.(dayOfWeek|regionCode)$/, /^([a-z]{2}|(mon|tues|wednes|thurs|fri|satur|sun)day)$/i],
  [/^accounts\.settings\.\w+$/, /^(true|false|\d{1,4}|[MDY]{3}|[a-z]{2,3}([-_][A-Z][A-Za-z]{1,3})?)$/],
  [/(^calendars|calendarList)\.id$|\.calendarId$/, isPublicCalendar],
]

const CLIENT_MAP = /\.(extendedProperties\.(private|shared)|preferences|parameters\.parameters)$/
const EVENT_ID = /\.events\.(id|recurringEventId|iCalUID)$|\.reminders\.eventId$/
const ID_PARTS = /^(_?)(.*?)((?:_R?\d{8}(?:T\d{6}Z?)?)*(?:@google\.com)?)$/s
const UUID_START = '00000000-0000-4000-8000-'
const ADDRESS = /^[^\s@<>/]+@([^\s@<>/]+)$/
const SERVICE_ADDRESS = /@(group|group\.v|import|resource)\.calendar\.google\.com$/i

const LABELS: readonly (readonly [place: RegExp, label: string])[] = [
  [/\.events\.summary$/, 'Meeting '],
  [/^calendars\.summary$|\.summaryOverride$/, 'Calendar '],
  [/\.(location|customLocation\.label)$/, 'Place '],
  [/\.(meetingCode|passcode|pin|accessCode|password|conferenceId|signature|requestId|fileId)$/, 'code'],
  [/./, 'Text '],
]

function isKept(text: string, place: string): boolean {
  const matches = (value: Pattern) => (value instanceof RegExp ? value.test(text) : value(text))
  const [, field = ''] = /^calendars\.events\.(\w+)/.exec(place) ?? []
  const kept = Object.hasOwn(KEPT_FIELDS, field) && KEPT_FIELDS[field as keyof Event]
  return Boolean(kept && matches(kept)) || KEPT_VALUES.some(([at, value]) => at.test(place) && matches(value))
}

/** Replaces texts by numbered stand-ins, such as `Meeting 12`. Equal texts get equal stand-ins. */
export class Anonymizer {
  readonly #numbers = new Map<string, number>()
  readonly #last = new Map<string, number>()
  readonly #taken: ReadonlySet<string>

  constructor(seed: Seed) {
    // Labels with numbers that the seed contains are not used again, because they would be originals.
    const words = JSON.stringify(seed).replace(/\\./g, ' ').toLowerCase()
    this.#taken = new Set(words.match(/(?<![a-z])[a-z]+ ?\d+/g)?.map((one) => one.replace(' ', '')))
  }

  replaceTexts(data: unknown, place = '', parent?: unknown): unknown {
    if (typeof data === 'string') return this.replaceText(data, place, parent)
    if (Array.isArray(data)) return data.map((item) => this.replaceTexts(item, place, parent))
    if (!isObject(data)) return data
    const entries = Object.entries(data).map(([name, value]) => {
      if (CLIENT_MAP.test(place)) return [this.#label('property', name), this.replaceTexts(value, 'property')]
      return [name, this.replaceTexts(value, place ? `${place}.${name}` : name, data)]
    })
    return Object.fromEntries(entries)
  }

  replaceText(text: string, place: string, parent?: unknown): string {
    if (text === '' || isKept(text, place)) return text
    if (EVENT_ID.test(place)) {
      const [, mark, id = '', rest] = ID_PARTS.exec(text) ?? []
      return `${mark}${this.#label('event', id)}${id.includes('@') ? '@example.com' : ''}${rest}`
    }
    if (/\.(eventLabels\.id|eventLabelId)$/.test(place)) return UUID_START + this.#label('', text).padStart(12, '0')
    if (/\.scope\.value$/.test(place) && !text.includes('@')) return this.#replaceDomain(text)
    if (place.endsWith('.displayName')) {
      const email = isObject(parent) && typeof parent.email === 'string' ? parent.email : text
      return this.#label(SERVICE_ADDRESS.test(email) ? 'Calendar ' : 'Person ', email.toLowerCase())
    }
    const [, scheme] = /^(https?:\/\/|www\.|tel:|sips?:|mailto:)\S+$/i.exec(text) ?? []
    if (scheme !== undefined)
      return `${scheme}${scheme.endsWith(':') ? '' : 'example.com/'}${this.#label('link', text)}`
    const [, domain] = ADDRESS.exec(text) ?? []
    if (SERVICE_ADDRESS.test(text) && domain) return `${this.#label('calendar', text.toLowerCase())}@${domain}`
    if (domain) return `${this.#label('person', text.toLowerCase())}@${this.#replaceDomain(domain)}`
    return this.#label(LABELS.find(([at]) => at.test(place))?.[1] ?? '', text)
  }

  /** The first domain becomes example.com, others `domain2.example`, because access rules may name them. */
  #replaceDomain(domain: string): string {
    const standIn = this.#label('domain', domain.toLowerCase())
    return standIn === 'domain1' ? 'example.com' : `${standIn}.example`
  }

  #label(label: string, original: string): string {
    const key = label.trim().toLowerCase()
    let number = this.#numbers.get(`${key} ${original}`)
    if (number !== undefined) return `${label}${number}`
    number = (this.#last.get(key) ?? 0) + 1
    while (this.#taken.has(`${key}${number}`)) number++
    this.#last.set(key, number)
    this.#numbers.set(`${key} ${original}`, number)
    return `${label}${number}`
  }
}
