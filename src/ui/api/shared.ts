/** Code of the server that the inspector runs in the browser too. The rest of `src/ui` imports it only from here. */

export { formatEffect } from '../../control/faults/effects.ts'
export { HINTS } from '../../control/hints/table.ts'
export { matchesMethod } from '../../control/request.ts'
export { formatICalDate, formatICalDateTime } from '../../recurrence/format.ts'
export { parseRule, type RecurrenceRule } from '../../recurrence/rule.ts'
export { splitRuleEnd, withRuleEnd } from '../../recurrence/ruleEnd.ts'
export { openSeries } from '../../recurrence/series.ts'
export { instantAt, offsetAt, wallTimeAt } from '../../recurrence/zone.ts'
export { addressOf } from '../../schema/values/address.ts'
export { findJsonSyntaxError } from '../../schema/values/json.ts'
export { SYNCED_LISTS } from '../../sync/tokens.ts'
