/** Code of the server that the inspector runs as well, so that both follow the same rules. It is imported from here only. */

export { jsonFault } from '../../cli/jsonFault.ts'
export { HINTS } from '../../hints/table.ts'
export { type Rule, readRule } from '../../recurrence/rule.ts'
export { openSeries } from '../../recurrence/series.ts'
export { dateStamp, momentStamp } from '../../recurrence/written.ts'
export { instantAt, offsetAt, wallTimeAt } from '../../recurrence/zone.ts'
export { reaches } from '../../rig/asked.ts'
export { called as effectName } from '../../rig/effects.ts'
export { COLLECTED } from '../../sync/expiry.ts'
export { addressOf } from '../../wire/values/address.ts'
