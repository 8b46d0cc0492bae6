/** Code of the server that the inspector runs as well, so that both follow the same rules. It is imported from here only. */

export { effectLabel as effectName } from '../../control/faults/effects.ts'
export { HINTS } from '../../control/hints/table.ts'
export { matchesMethod as reaches } from '../../control/request.ts'
export { formatICalDate, formatICalDateTime } from '../../recurrence/format.ts'
export { parseRule, type RecurrenceRule } from '../../recurrence/rule.ts'
export { splitRuleEnd, withRuleEnd } from '../../recurrence/ruleEnd.ts'
export { openSeries } from '../../recurrence/series.ts'
export { instantAt, offsetAt, wallTimeAt } from '../../recurrence/zone.ts'
export { addressOf } from '../../schema/values/address.ts'
export { findJsonSyntaxError } from '../../schema/values/json.ts'
export { SYNCED_LISTS } from '../../sync/tokens.ts'
