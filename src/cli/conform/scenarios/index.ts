import type { ScenarioGroup } from '../scenario.ts'
import { rules } from './acl.ts'
import { batches } from './batches.ts'
import { calendarList } from './calendarList.ts'
import { calendars } from './calendars.ts'
import { conferences } from './conferences.ts'
import { expansion } from './contents/expansion.ts'
import { lifecycle } from './contents/lifecycle.ts'
import { views } from './contents/views.ts'
import { writes } from './contents/writes.ts'
import { errors } from './errors.ts'
import { events } from './events.ts'
import { fields } from './fields.ts'
import { filters } from './filters.ts'
import { freeBusy } from './freeBusy.ts'
import { guests } from './guests.ts'
import { conditions, http } from './http.ts'
import { instances } from './instances.ts'
import { paging, sync } from './lists.ts'
import { imports, moves } from './moves.ts'
import { quickAdd } from './quickAdd.ts'
import { credentials } from './requests/credentials.ts'
import { entries } from './requests/entries.ts'
import { headers } from './requests/headers.ts'
import { parameters } from './requests/parameters.ts'
import { rejections } from './requests/rejections.ts'
import { tokens } from './requests/tokens.ts'
import { validators } from './requests/validators.ts'
import { recurrence } from './series.ts'
import { colors, settings } from './settings.ts'
import { times } from './times.ts'
import { types } from './types.ts'
import { watching } from './watching.ts'

/** Joins groups, which then share a calendar. An account can create few calendars per hour (behaviour 12.15). */
const mergeGroups = (name: string, ...groups: readonly ScenarioGroup[]): ScenarioGroup => ({
  name,
  scenarios: groups.flatMap(({ scenarios }) => scenarios),
})

/** All scenarios, in the order in which they run. */
export const GROUPS: readonly ScenarioGroup[] = [
  ...[calendars, calendarList, rules, settings, colors],
  ...[events, times, recurrence, instances, paging, sync, errors, conditions, http, batches],
  ...[freeBusy, quickAdd, imports, moves, conferences, guests, types, watching, fields, filters],
  mergeGroups('requests', validators, credentials, headers, tokens, rejections, parameters, entries),
  mergeGroups('contents', expansion, writes, views, lifecycle),
]
