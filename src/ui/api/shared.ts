/** Code of the server that the inspector runs as well, so that both follow the same rules. It is imported from here only. */

export { jsonFault } from '../../cli/jsonFault.ts'
export { HINTS } from '../../control/hints/table.ts'
export { type Rule, readRule } from '../../recurrence/rule.ts'
export { openSeries } from '../../recurrence/series.ts'
export { dateStamp, momentStamp } from '../../recurrence/written.ts'
export { instantAt, offsetAt, wallTimeAt } from '../../recurrence/zone.ts'
export { COLLECTED } from '../../sync/expiry.ts'
export { effectLabel as effectName } from '../../testing/faults/effects.ts'
export { reaches } from '../../testing/request.ts'
export { addressOf } from '../../wire/values/address.ts'
