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

/** Every error that a response can have, by name: those of the service, and those of the fake itself (`OWN_ERRORS`). */
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
export const PROJECT = '100000000001'
/** The values of the placeholders in the texts of an error, by placeholder name: `{field}` is filled by `field`. */
export type ErrorDetails = Readonly<Record<string, string | number>>
export type ErrorItem = { readonly name: ApiErrorName; readonly details: ErrorDetails }

/**
 * One or more errors of the table, which one response reports. The first sets the status and the message of the response.
 * `http/errors.ts` formats it.
 */
export class ApiError extends Error {
  readonly items: readonly ErrorItem[]

  constructor(items: readonly ErrorItem[]) {
    super(items[0] ? messageOf(items[0]) : '')
    this.items = items
  }
}

/** Returns an error with one item, for the caller to throw. Placeholders that `details` does not name become empty. */
export const apiError = (name: ApiErrorName, details: ErrorDetails = {}): ApiError => new ApiError([{ name, details }])

/** Throws `apiError(name, details)`, where an expression is needed: `find(id) ?? throwApiError('notFound')`. */
export const throwApiError = (name: ApiErrorName, details?: ErrorDetails): never => {
  throw apiError(name, details)
}

/** Throws one ApiError with all items. Does nothing if there are none. */
export const throwApiErrors = (items: readonly ErrorItem[]): void => {
  if (items.length > 0) throw new ApiError(items)
}

export const errorRowOf = ({ name }: ErrorItem): ApiErrorRow => API_ERRORS[name]

export const messageOf = (item: ErrorItem): string => fillMessage(errorRowOf(item).message, item.details)

/** Replaces each `{name}` in a text by the detail of that name, or by nothing if there is none. */
export const fillMessage = (text: string, details: ErrorDetails): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''))
