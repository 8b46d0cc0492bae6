/** Code of the server that the inspector runs in the browser too. The rest of `src/ui` imports it only from here. */

export { formatEffect } from '../../control/faults/effects.ts'
export { matchesMethod } from '../../control/request.ts'
export { fieldsWhere } from '../../model/events/fields.ts'
export { isWeekend } from '../../recurrence/days.ts'
export { addDays, formatICalStart } from '../../recurrence/format.ts'
export { isRule } from '../../recurrence/lines.ts'
export { openSeries, type Start } from '../../recurrence/series.ts'
export {
  formatRecurrence,
  moveOfStarts,
  moveRecurrence,
  parseRecurrence,
  type RecurrenceParts,
  splitRecurrence,
} from '../../recurrence/split.ts'
export { instantAt, wallTimeAt } from '../../recurrence/zone.ts'
export { API_ERRORS } from '../../schema/apiErrors.ts'
export { errorOfFault, FAULT_NAMES } from '../../schema/faultNames.ts'
export { formatSubject } from '../../schema/mailSubject.ts'
export { addressOf } from '../../schema/values/address.ts'
export { quoteForShell } from '../../schema/values/shownText.ts'
