import { SOLUTIONS, solutionNamed } from '../../model/events/conference.ts'
import { parseLines } from '../../recurrence/lines.ts'
import { InvalidRecurrenceError } from '../../recurrence/rule.ts'
import { isZone } from '../../recurrence/zone.ts'
import type { Event } from '../../schema/event.ts'
import { EVENT_TYPE_VALUES } from '../../schema/eventTypeValues.ts'

type Pattern = RegExp | ((text: string) => boolean)

const TIME = /^[-\dTtZz:.+]+$/

/** The values of an event's own fields that identify nobody. Those of any other field are replaced. */
const KEPT_FIELDS: Partial<Record<keyof Event, Pattern>> = {
  status: /^(confirmed|tentative|cancelled)$/,
  created: TIME,
  colorId: /^\d{1,2}$/,
  start: TIME,
  end: TIME,
  recurrence: isRecurrence,
  originalStartTime: TIME,
  transparency: /^(opaque|transparent)$/,
  visibility: /^(default|public|private|confidential)$/,
  eventType: (text) => EVENT_TYPE_VALUES.some((type) => type === text),
}

/** A valid line consists of rules, times and zones. */
function isRecurrence(line: string): boolean {
  return [true, false].some((allDay) => {
    try {
      parseLines([line], { zone: 'UTC', allDay })
      return true
    } catch (error) {
      if (error instanceof InvalidRecurrenceError) return false
      throw error
    }
  })
}

const TYPE_OF_FILE =
  /^(application\/(pdf|zip|json|octet-stream|msword|vnd\.(google-apps|ms-|openxmlformats-officedocument|oasis\.opendocument)[.\w-]*)|image\/(png|jpeg|gif|svg\+xml)|text\/(plain|html|csv))$/
const DRIVE_ICON = 'https://drive-thirdparty.googleusercontent.com/16/type/'

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
  [/\.scope\.value$/, /^__public_principal__@public\.calendar\.google\.com$/],
  [/\.(colorId|backgroundColor|foregroundColor)$/, /^(\d{1,2}|#[\da-f]{6})$/i],
  [/\.(method|entryPointType|gadget\.display)$/, /^(popup|email|sms|video|phone|sip|more|icon|chip)$/],
  [/\.entryPointFeatures$/, /^toll([-_]free)?$/i],
  [/notifications\.type$/, /^(event(Creation|Change|Cancellation|Response)|agenda)$/],
  [/conferenceSolution(Key)?(\.key)?\.type$|SolutionTypes$/, (text) => solutionNamed(text) !== undefined],
  [/\.conferenceSolution\.(name|iconUri)$/, isOfSolution],
  [/\.autoDeclineMode$/, /^decline(None|AllConflictingInvitations|OnlyNewConflictingInvitations)$/],
  [/birthdayProperties\.type$|^accounts\.kind$/, /^(anniversary|birthday|custom|other|self|consumer|workspace)$/],
  [/\.mimeType$/, TYPE_OF_FILE],
  [/\.iconLink$/, (text) => text.startsWith(DRIVE_ICON) && TYPE_OF_FILE.test(text.slice(DRIVE_ICON.length))],
  [/\.(dayOfWeek|regionCode)$/, /^([a-z]{2}|(mon|tues|wednes|thurs|fri|satur|sun)day)$/i],
  [/^accounts\.settings\.locale$/, /^[a-z]{2,3}([-_][a-z]{2,4}|[-_]\d{3})*$/i],
  [/^accounts\.settings\.\w+$/, /^(true|false|\d{1,4}|[MDY]{3})$/],
]

function isOfSolution(text: string): boolean {
  return Object.values(SOLUTIONS).some(({ name, iconUri }) => text === name || text === iconUri)
}

/** Returns true for a value that identifies nobody. `place` is the keys that lead to it, such as `calendars.events.status`. */
export function isKept(text: string, place: string): boolean {
  const matches = (value: Pattern) => (value instanceof RegExp ? value.test(text) : value(text))
  const [, field = ''] = /^calendars\.events\.(\w+)/.exec(place) ?? []
  const kept = Object.hasOwn(KEPT_FIELDS, field) && KEPT_FIELDS[field as keyof Event]
  return Boolean(kept && matches(kept)) || KEPT_VALUES.some(([at, value]) => at.test(place) && matches(value))
}
