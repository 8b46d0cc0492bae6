import { isPublicCalendar } from '../../api/calendars/publicCalendars.ts'
import { findFieldRule } from '../../model/events/fields.ts'
import { isZone } from '../../recurrence/zone.ts'
import { isObject } from '../../schema/values/json.ts'
import type { Seed, SeedEvent } from '../../seeds/schema/seed.ts'
import { ProseStandIns } from './prose.ts'
import type { Random } from './random.ts'
import { StandIns, splitAddress, type TitleKind } from './standIns.ts'

/**
 * Values that are kept, because they describe a time, a kind or a purpose and identify nobody. A stand-in is the invented
 * text that replaces any other one. `place` matches the keys
 * that lead to the value, such as `calendars.events.start.timeZone`, without positions in lists. `value` must match the
 * value. Fields at the top of an event are listed in the table of event fields (`captured`) instead.
 */
const KEPT_VALUES: readonly (readonly [place: RegExp, value: RegExp | ((text: string) => boolean)])[] = [
  [/\.timeZone$|settings\.timezone$/, isZone],
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

/** The places of objects whose names and values clients choose. */
const CLIENT_MAP = /\.(extendedProperties\.(private|shared)|preferences|parameters\.parameters)$/

/** The places of ids. */
const ID = /\.events\.(id|recurringEventId|iCalUID|eventLabelId)$|\.reminders\.eventId$|\.eventLabels\.id$/
/**
 * The parts of an id: the mark of an imported event, the id itself, and the start times of instances and split series
 * or the domain of an iCalUID, which stay.
 */
const ID_PARTS = /^(_?)(.*?)((?:_R?\d{8}(?:T\d{6}Z?)?)*(?:@google\.com)?)$/s
/** The places of codes and passwords, which keep their shape. */
const CODE = /\.(meetingCode|passcode|pin|accessCode|password|conferenceId|signature|requestId|fileId)$/

export type Anonymized = {
  seed: Seed
  /** Returns the stand-in for the title of an event or the summary of a calendar. */
  nameOf: (kind: 'event' | 'calendar', original: string) => string
}

/**
 * Returns a copy of a seed in which all texts that people wrote are replaced by stand-ins. Equal texts get equal
 * stand-ins. The same numbers of `random` give the same result.
 */
export function anonymize(seed: Seed, random: Random): Anonymized {
  const anonymizer = new Anonymizer(seed, random)
  return {
    seed: anonymizer.replaceTexts(seed, '', undefined) as Seed,
    nameOf: (kind, original) =>
      kind === 'event' ? anonymizer.replaceTitle(original, undefined) : anonymizer.replaceCalendarName(original),
  }
}

/**
 * Replaces the texts of one seed. `place` is the keys that lead to a value, such as `calendars.events.summary`, and
 * `parent` the object that contains it.
 */
class Anonymizer {
  readonly #standIns: StandIns
  readonly #prose: ProseStandIns
  /** The kind of each title, from the first event with that title. */
  readonly #titleKinds = new Map<string, TitleKind>()

  /** The owner of the calendar whose events are being replaced. */
  #calendarOwner = ''

  constructor(seed: Seed, random: Random) {
    this.#standIns = new StandIns(random, collectWords(seed))
    this.#prose = new ProseStandIns(this.#standIns)
    this.#addPeople(seed)
  }

  /** Chooses the stand-ins of all people with an address and a name, so that both lead to the same stand-in. */
  #addPeople(data: unknown): void {
    if (Array.isArray(data)) for (const item of data) this.#addPeople(item)
    if (!isObject(data)) return
    const { email, displayName } = data
    if (typeof email === 'string' && typeof displayName === 'string' && !this.#prose.isServiceAddress(email))
      this.#standIns.addAlias(displayName, this.#standIns.replacePerson(email))
    for (const value of Object.values(data)) if (typeof value === 'object') this.#addPeople(value)
  }

  /** Returns a copy of the data in which texts are replaced by stand-ins, at any depth. */
  replaceTexts(data: unknown, place: string, parent: unknown): unknown {
    if (typeof data === 'string') return this.#replaceText(data, place, parent)
    if (Array.isArray(data)) return data.map((item) => this.replaceTexts(item, place, parent))
    if (!isObject(data)) return data
    if (place === 'calendars') this.#calendarOwner = String(data.owner ?? data.id)
    const isClientMap = CLIENT_MAP.test(place)
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => {
        if (isClientMap) return [this.#standIns.replaceKey(name), this.#replaceClientValue(value)]
        return [name, this.replaceTexts(value, place ? `${place}.${name}` : name, data)]
      }),
    )
  }

  /** Returns the stand-in for a value of an extended property. Other values than strings stay. */
  #replaceClientValue = (value: unknown): unknown =>
    typeof value === 'string' ? this.#prose.replaceToken(value) : value

  /** Returns the stand-in for a text, chosen by its place and its form; the text itself if it is empty or kept. */
  #replaceText(text: string, place: string, parent: unknown): string {
    if (text === '' || isKept(text, place)) return text
    if (ID.test(place)) return this.#replaceId(text)
    if (CODE.test(place)) return this.#standIns.replaceCharacters(text)
    if (/^[^\s@<>/]+@[^\s@<>/]+$/.test(text)) return this.#prose.replaceAddress(text)
    if (/\.scope\.value$/.test(place)) return this.#standIns.replaceDomain(text)
    if (/\.events\.summary$/.test(place)) return this.replaceTitle(text, parent as SeedEvent)
    if (/^calendars\.summary$|\.summaryOverride$/.test(place)) return this.replaceCalendarName(text)
    if (/\.displayName$/.test(place)) return this.#replaceDisplayName(text, parent)
    if (/\.(location|customLocation\.label)$/.test(place) && !this.#prose.isLink(text))
      return this.#standIns.pickFromList('place', text)
    return this.#prose.replaceText(text)
  }

  /** Returns the stand-in for an id, with the same parts. An id in the characters of event ids gets an event id. */
  #replaceId(text: string): string {
    const [, mark = '', base = '', rest = ''] = ID_PARTS.exec(text) ?? []
    const [local, domain] = splitAddress(base)
    const id = /^[a-v0-9]+$/.test(local)
      ? this.#standIns.replaceId(local)
      : this.#standIns.replaceCharacters(local, 'abcdefghijklmnopqrstuv')
    return mark + id + (domain === undefined ? '' : `@${this.#standIns.replaceDomain(domain)}`) + rest
  }

  /** Returns the name of the stand-in for the person, or for the calendar, whose display name this is. */
  #replaceDisplayName(text: string, parent: unknown): string {
    const email = isObject(parent) && typeof parent.email === 'string' ? parent.email : undefined
    if (email !== undefined && this.#prose.isServiceAddress(email)) return this.replaceCalendarName(text)
    return this.#standIns.replacePerson(email !== undefined ? email : text).full
  }

  /** Returns the stand-in for a calendar's summary: the name of a person if it is named after one. */
  replaceCalendarName = (text: string): string =>
    this.#standIns.findPerson(text)?.full ?? this.#standIns.pickFromList('calendar', text)

  /**
   * Returns the stand-in for an event's title. Its kind follows from the first event with that title, whose other guest
   * it may name. `event` is undefined if only the title is known.
   */
  replaceTitle(text: string, event: SeedEvent | undefined): string {
    const key = text.toLowerCase()
    const kind = this.#titleKinds.get(key) ?? chooseTitleKind(event)
    this.#titleKinds.set(key, kind)
    const guest = event?.attendees?.find(({ email }) => email !== this.#calendarOwner)?.email
    const title = this.#standIns.pickFromList(kind, text)
    return title.replace('{name}', () => this.#standIns.replacePerson(guest ?? text).first)
  }
}

/** Returns the kind of title that suits the structure of an event. It does not read the title. */
function chooseTitleKind(event: SeedEvent | undefined): TitleKind {
  if (event?.eventType === 'outOfOffice') return 'absence'
  if (event?.eventType === 'focusTime') return 'focus'
  if (event?.start?.date != null) return 'allDay'
  const guests = event?.attendees?.length ?? 0
  if (guests === 0) return 'personal'
  if (guests <= 2) return 'oneToOne'
  return event?.recurrence || event?.recurringEventId ? 'team' : 'meeting'
}

/** Returns true for a text that stays, because its place and its value identify nobody. */
function isKept(text: string, place: string): boolean {
  const [, field = ''] = /^calendars\.events\.(\w+)/.exec(place) ?? []
  const { captured } = findFieldRule(field) ?? {}
  return (
    (captured !== undefined && matches(captured, text)) ||
    KEPT_VALUES.some(([where, value]) => where.test(place) && matches(value, text))
  )
}

/** Returns true if a text matches a pattern, or fulfils a condition. */
const matches = (value: RegExp | ((text: string) => boolean), text: string): boolean =>
  value instanceof RegExp ? value.test(text) : value(text)

/** Returns the words, numbers and texts without spaces that a seed contains in replaced texts, in lower case. */
function collectWords(seed: Seed): Set<string> {
  const words = new Set<string>()
  /** Adds the words of the data at a place to `words`, at any depth. */
  const collect = (data: unknown, place: string): void => {
    if (typeof data === 'string' && !isKept(data, place)) {
      for (const [word] of data.toLowerCase().matchAll(/[\p{L}\p{M}]+|\d+/gu)) words.add(word)
      if (/^\S+$/.test(data)) words.add(data.toLowerCase())
    } else if (Array.isArray(data)) for (const item of data) collect(item, place)
    else if (isObject(data))
      for (const [name, value] of Object.entries(data)) {
        if (CLIENT_MAP.test(place)) words.add(name.toLowerCase())
        collect(value, place ? `${place}.${name}` : name)
      }
  }
  collect(seed, '')
  return words
}
