import type { ScenarioGroup } from '../scenario.ts'
import { rules } from './acl.ts'
import { batches } from './batches.ts'
import { calendarList } from './calendarList.ts'
import { calendars } from './calendars.ts'
import { conferences } from './conferences.ts'
import { credentials } from './credentials.ts'
import { entries } from './entries.ts'
import { errors } from './errors.ts'
import { events } from './events.ts'
import { expansion } from './expansion.ts'
import { fields } from './fields.ts'
import { filters } from './filters.ts'
import { freeBusy } from './freeBusy.ts'
import { guests } from './guests.ts'
import { headers } from './headers.ts'
import { conditions, http } from './http.ts'
import { lifecycle } from './lifecycle.ts'
import { paging, sync } from './lists.ts'
import { imports, moves } from './moves.ts'
import { parameters } from './parameters.ts'
import { quickAdd } from './quickAdd.ts'
import { instances, recurrence } from './series.ts'
import { colors, settings } from './settings.ts'
import { times } from './times.ts'
import { tokens } from './tokens.ts'
import { types } from './types.ts'
import { validators } from './validators.ts'
import { views } from './views.ts'
import { watching } from './watching.ts'
import { writes } from './writes.ts'

/** Joins groups, which then share a calendar. An account can create few calendars per hour (behaviour 12.15). */
const group = (name: string, ...groups: readonly ScenarioGroup[]): ScenarioGroup => ({
  name,
  scenarios: groups.flatMap(({ scenarios }) => scenarios),
})

/** All scenarios, in the order in which they run. */
export const GROUPS: readonly ScenarioGroup[] = [
  ...[calendars, calendarList, rules, settings, colors],
  ...[events, times, recurrence, instances, paging, sync, errors, conditions, http, batches],
  ...[freeBusy, quickAdd, imports, moves, conferences, guests, types, watching, fields, filters],
  group('requests', validators, credentials, headers, tokens, parameters, entries),
  group('contents', expansion, writes, views, lifecycle),
]
