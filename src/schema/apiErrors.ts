import { CALENDARS } from './errors/calendars.ts'
import { CALLERS } from './errors/callers.ts'
import { CHANNELS } from './errors/channels.ts'
import { EVENTS } from './errors/events.ts'
import { GUESTS } from './errors/guests.ts'
import { INJECTED } from './errors/injected.ts'
import { LISTS } from './errors/lists.ts'
import { OAUTH } from './errors/oauth.ts'
import { OWN_ERRORS } from './errors/ownErrors.ts'
import { RECORDS } from './errors/records.ts'
import { REQUESTS } from './errors/requests.ts'
import type { ApiErrorRow } from './errors/row.ts'

/** Every error of the API, by name. Each chapter of the table is a file. */
export const API_ERRORS = {
  ...REQUESTS,
  ...CALLERS,
  ...RECORDS,
  ...LISTS,
  ...EVENTS,
  ...GUESTS,
  ...CALENDARS,
  ...OAUTH,
  ...CHANNELS,
  ...INJECTED,
  ...OWN_ERRORS,
}

export type ApiErrorName = keyof typeof API_ERRORS
/** The project number in error messages that name a project. */
export const PROJECT = '100000000001'
export type ErrorDetails = Readonly<Record<string, string | number>>
export type ErrorItem = { readonly named: ApiErrorName; readonly details: ErrorDetails }

/** An API error. `http/errors.ts` formats it as a reply. The first item sets code and message. */
export class ApiError extends Error {
  readonly items: readonly ErrorItem[]

  constructor(items: readonly ErrorItem[]) {
    super(items[0] ? messageOf(items[0]) : '')
    this.items = items
  }
}

/** Returns an error of the table above, to be thrown. `details` fills the placeholders of its message. */
export const apiError = (named: ApiErrorName, details: ErrorDetails = {}): ApiError =>
  new ApiError([{ named, details }])

/** Throws an error of the table, where an expression is needed: `find(id) ?? throwApiError('notFound')`. */
export const throwApiError = (named: ApiErrorName, details?: ErrorDetails): never => {
  throw apiError(named, details)
}

/** Throws one ApiError with all items, unless there are none. */
export const throwApiErrors = (items: readonly ErrorItem[]): void => {
  if (items.length > 0) throw new ApiError(items)
}

export const errorRowOf = ({ named }: ErrorItem): ApiErrorRow => API_ERRORS[named]
export const messageOf = (item: ErrorItem): string => fillMessage(errorRowOf(item).message, item.details)
export const fillMessage = (text: string, details: ErrorDetails): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''))
