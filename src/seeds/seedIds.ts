import { idFromDefaultUid, idFromUid } from '../model/events/series.ts'

/** The id of the first part, and the start of the second (behaviour 4.12.1). */
const SPLIT_SERIES_ID = /^[a-v0-9_]{5,1024}_R\d{8}(T\d{6})?$/

/** A date, and an id of base32hex (behaviour 15.15.1). */
const HOLIDAY_ID = /^\d{8}_[a-v0-9]{5,}$/

/** Returns true for an id of the service's own, which an insert cannot set (behaviour 14.24). */
export const isServiceId = (id: string): boolean => SPLIT_SERIES_ID.test(id) || HOLIDAY_ID.test(id)

/** Returns the id of the event with a UID, which may be that of a split series. */
export function seedIdFromUid(iCalUID: string): string {
  const id = idFromDefaultUid(iCalUID) ?? ''
  return SPLIT_SERIES_ID.test(id) ? id : idFromUid(iCalUID)
}
