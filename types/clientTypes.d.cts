// Not bundled, because bundling removes the comments that the imports need.
// @ts-ignore: not every project has this package.
import type { calendar_v3 as Single } from '@googleapis/calendar'
// @ts-ignore: not every project has this package.
import type { calendar_v3 as All } from 'googleapis/build/src/apis/calendar/v3'

/** The type of a package that is not installed is `any`. */
type IsMissing<T> = [unknown] extends [T] ? true : false

interface NoOfficialClient {
  readonly 'install @googleapis/calendar or googleapis': never
}

/** The client that `calendar({ version: 'v3' })` of `@googleapis/calendar` returns, or that of `googleapis`. */
export type OfficialClient =
  IsMissing<Single.Calendar> extends false
    ? Single.Calendar
    : IsMissing<All.Calendar> extends false
      ? All.Calendar
      : NoOfficialClient
