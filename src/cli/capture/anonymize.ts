import { hasHolidays } from '../../api/calendars/holidays.ts'
import { parsePublicCalendarId } from '../../model/collections.ts'
import { findDriveFile } from '../../model/events/fieldValues.ts'
import { addressOf } from '../../schema/values/address.ts'
import { isObject } from '../../schema/values/json.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import { isKept } from './keptValues.ts'

const CLIENT_MAP = /\.(extendedProperties\.(private|shared)|preferences|addOnParameters\.parameters)$/

const ID_PARTS = /^(_?)(.*?)((?:_R?(?:19|2\d)\d\d[01]\d[0-3]\d(?:T\d{6}Z?)?)*(?:@google\.com)?)$/s
const UUID_START = '00000000-0000-4000-8000-'
const ADDRESS = /^[^\s@<>/]+@[^\s@<>/]+$/
const SERVICE_ADDRESS = /@(?:(?:group|group\.v|import|resource)\.calendar\.google\.com)$/
const HOLIDAYS = /^[a-z]{2,3}([-_][a-z]{2,4})*\.[a-z_]+(\.official)?$/

const WHOLE_LINK = /^(https?:\/\/|www\.|tel:|sips?:|mailto:)\S+$/i
const LINK = /^(https?:\/\/|www\.|tel:|sips?:|mailto:)?(.*)$/is
const MEETING =
  /^((?:https:\/\/)?(?:(?:meet\.google\.com|tel\.meet)|hangouts\.google\.com\/hangouts\/_\/(?:event|named))\/)([^/?#]+)(?:(\?pin=)(\d+))?/i
const DOCUMENT = /^https:\/\/docs\.google\.com\/(?:a\/[^/]+\/)?(document|drawings|forms|presentation|spreadsheets)\//
const FOLDER = /^https:\/\/drive\.google\.com\/drive\//

const MEETING_CODE = /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/
const isNumber = (text: string): boolean => /^[\s()+.#*,;\d-]+$/.test(text) && /\d/.test(text)

type Form = (standIns: Anonymizer, text: string, parent: unknown) => string

const withLabel =
  (label: string): Form =>
  (standIns, text) =>
    standIns.replaceFreeText(text, label)

/** The first row whose place matches decides. The place of a value is the keys that lead to it. */
const FORMS: readonly (readonly [place: RegExp, replace: Form])[] = [
  [/\.events\.(id|recurringEventId|iCalUID)$|\.reminders\.eventId$/, (all, text) => all.replaceEventId(text)],
  [/\.(eventLabels\.id|eventLabelId)$/, (all, text) => all.replace('label', text, (nth) => UUID_START + pad(nth, 12))],
  [
    /\.(email|owner|members|calendarId)$|^(calendars|accounts\.calendarList)\.id$/,
    (all, text) => all.replaceAddress(text),
  ],
  [/\.scope\.value$/, (all, text) => (text.includes('@') ? all.replaceAddress(text) : all.replaceDomain(text))],
  [/\.displayName$/, replacePersonName],
  [/\.(uri|url|fileUrl|link|iconLink|iconUri|hangoutLink)$/, (all, text) => all.replaceLink(text)],
  [/\.entryPoints\.label$/, (all, text) => all.replaceEntryLabel(text)],
  [/\.fileId$/, (all, text) => all.label('file', text)],
  [/\.mimeType$/, () => 'application/octet-stream'],
  [/\.birthdayProperties\.contact$/, (all, text) => `people/${all.label('c', text)}`],
  [
    /\.(meetingCode|passcode|pin|accessCode|password|conferenceId|signature|requestId)$|\.(attendees|creator|organizer)\.id$/,
    (all, text) => all.replaceCode(text),
  ],
  [/\.events\.summary$/, withLabel('Meeting ')],
  [/^calendars\.summary$|\.summaryOverride$/, withLabel('Calendar ')],
  [/\.(location|customLocation\.label)$/, withLabel('Place ')],
  [/./, withLabel('Text ')],
]

function replacePersonName(all: Anonymizer, text: string, parent: unknown): string {
  const address = isObject(parent) && typeof parent.email === 'string' ? addressOf(parent.email) : text
  return all.label(SERVICE_ADDRESS.test(address) ? 'Calendar ' : 'Person ', address)
}

const pad = (nth: number, length: number): string => String(nth).padStart(length, '0')

/** A meeting code whose letters are the digits of a number in base 26: `aaa-aaaa-aab` for 1. */
function formatMeetingCode(nth: number): string {
  const letters = [...nth.toString(26).padStart(10, '0')].map((digit) =>
    String.fromCharCode(97 + Number.parseInt(digit, 26)),
  )
  return [letters.slice(0, 3), letters.slice(3, 7), letters.slice(7)].map((part) => part.join('')).join('-')
}

/**
 * Replaces texts by numbered stand-ins of their form, such as `Meeting 12` for a title and `aaa-aaaa-aac` for a meeting code.
 * Equal texts get equal stand-ins.
 */
export class Anonymizer {
  readonly #standIns = new Map<string, number>()
  readonly #last = new Map<string, number>()
  readonly #taken: ReadonlySet<string>

  constructor(seed: Seed) {
    // Labels with numbers, meeting codes and long numbers that the seed contains are not used again, because they would be originals.
    const words = JSON.stringify(seed).replace(/\\./g, ' ').toLowerCase()
    const forms = [/(?<![a-z])[a-z]+ ?\d+/g, /[a-z]{3}-[a-z]{4}-[a-z]{3}/g, /\d{4,}/g, /\d[\d ().-]{2,}\d/g]
    this.#taken = new Set(forms.flatMap((form) => words.match(form)?.map(toComparable) ?? []))
  }

  replaceTexts(data: unknown, place = '', parent?: unknown): unknown {
    if (typeof data === 'string') return this.replaceText(data, place, parent)
    if (Array.isArray(data)) return data.map((item) => this.replaceTexts(item, place, parent))
    if (!isObject(data)) return data
    const entries = Object.entries(data).map(([name, value]) => {
      if (CLIENT_MAP.test(place)) return [this.label('property', name), this.replaceTexts(value, 'property')]
      return [name, this.replaceTexts(value, place ? `${place}.${name}` : name, data)]
    })
    return Object.fromEntries(entries)
  }

  replaceText(text: string, place: string, parent?: unknown): string {
    if (text === '' || isKept(text, place)) return text
    const [, replace] = FORMS.find(([at]) => at.test(place)) ?? []
    return replace?.(this, text, parent) ?? ''
  }

  replaceFreeText(text: string, label: string): string {
    if (WHOLE_LINK.test(text)) return this.replaceLink(text)
    return ADDRESS.test(text) ? this.replaceAddress(text) : this.label(label, text)
  }

  replaceEventId(text: string): string {
    const [, mark, id = '', rest] = ID_PARTS.exec(text) ?? []
    return `${mark}${this.label('event', id)}${id.includes('@') ? '@example.com' : ''}${rest}`
  }

  /** The id of a calendar need not be an address. */
  replaceAddress(text: string): string {
    const address = addressOf(text)
    const { of, type } = parsePublicCalendarId(address) ?? {}
    if (of === '' || (of !== undefined && HOLIDAYS.test(of) && hasHolidays(of)) || of === 'addressbook') return text
    const at = address.lastIndexOf('@')
    if (at < 0) return this.label('calendar', address)
    if (!SERVICE_ADDRESS.test(address))
      return `${this.label('person', address)}@${this.replaceDomain(address.slice(at + 1))}`
    const prefix = address.startsWith('c_') ? 'c_' : ''
    return `${prefix}${this.label('calendar', address)}${type ? `#${type}` : ''}${address.slice(at)}`
  }

  /** The first domain becomes example.com, others `domain2.example`, because access rules may name them. */
  replaceDomain(domain: string): string {
    const standIn = this.label('domain', domain.toLowerCase())
    return standIn === 'domain1' ? 'example.com' : `${standIn}.example`
  }

  /** Keeps the scheme, and the form of the addresses of meetings and of files in Drive. */
  replaceLink(text: string): string {
    const file = findDriveFile(text)
    if (file) return this.#replaceDriveLink(text, file.fileId)
    if (MEETING.test(text)) return this.#replaceMeeting(text)
    const [, scheme = 'https://', rest = ''] = LINK.exec(text) ?? []
    if (/^tel:/i.test(scheme)) return scheme + this.#replaceDigits(isNumber(rest) ? rest : '0'.repeat(10), rest)
    if (/^(sip|mailto)/i.test(scheme)) return `${scheme}${this.label('link', text)}@example.com`
    return `${scheme}example.com/${this.label('link', text)}`
  }

  #replaceDriveLink(text: string, fileId: string): string {
    const [id, [, kind]] = [this.label('file', fileId), DOCUMENT.exec(text) ?? []]
    if (kind) return `https://docs.google.com/${kind}/d/${id}/edit`
    return FOLDER.test(text) ? `https://drive.google.com/drive/folders/${id}` : `https://drive.google.com/open?id=${id}`
  }

  #replaceMeeting(text: string): string {
    const [, start, code = '', query = '', pin] = MEETING.exec(text) ?? []
    return `${start}${this.replaceCode(code)}${query}${pin ? this.replaceCode(pin) : ''}`
  }

  replaceEntryLabel(text: string): string {
    if (MEETING.test(text)) return this.#replaceMeeting(text)
    return isNumber(text) ? this.#replaceDigits(text) : this.replaceFreeText(text, 'Text ')
  }

  replaceCode(text: string): string {
    if (MEETING_CODE.test(text)) return this.replace('meeting code', text, formatMeetingCode)
    return isNumber(text) ? this.#replaceDigits(text) : this.label('code', text)
  }

  /** Keeps the separators of a number, which does not count for what is equal. `form` has as many digits, or more. */
  #replaceDigits(form: string, original = form): string {
    const digits = original.replace(/\D/g, '') || original
    const [length, at] = [form.replace(/\D/g, '').length, { next: 0 }]
    const standIn = this.replace('number', digits, (nth) => pad(nth, length))
    return form.replace(/\d/g, () => standIn[at.next++] ?? '') + standIn.slice(length)
  }

  label = (label: string, original: string): string =>
    this.replace(label.trim().toLowerCase(), original, (nth) => `${label}${nth}`)

  /** Formats the next number of a kind whose stand-in is no original. */
  replace(kind: string, original: string, format: (nth: number) => string): string {
    const key = `${kind} ${original}`
    const known = this.#standIns.get(key)
    if (known !== undefined) return format(known)
    let nth = (this.#last.get(kind) ?? 0) + 1
    while (format(nth) === original || this.#isTaken(format(nth))) nth++
    this.#last.set(kind, nth)
    this.#standIns.set(key, nth)
    return format(nth)
  }

  #isTaken(standIn: string): boolean {
    return this.#taken.has(toComparable(standIn.toLowerCase().replace(UUID_START, '')))
  }
}

/** A label without its space, or a number without its separators. */
const toComparable = (text: string): string =>
  /^[\d ().-]+$/.test(text) ? text.replace(/\D/g, '') : text.replace(' ', '')
