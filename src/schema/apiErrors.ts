import { FRONT_END } from './errors/frontEnd.ts'
import { INJECTED } from './errors/injected.ts'
import { OAUTH } from './errors/oauth.ts'
import { OWN_ERRORS } from './errors/ownErrors.ts'
import type { ApiErrorRow } from './errors/row.ts'
import { SERVICE } from './errors/service.ts'
import { shorten, shortenLine } from './values/shownText.ts'

/** Errors of the service, and of the fake itself (`OWN_ERRORS`). */
export const API_ERRORS = { ...SERVICE, ...FRONT_END, ...OAUTH, ...INJECTED, ...OWN_ERRORS }

export type ApiErrorName = keyof typeof API_ERRORS
export const PROJECT = '100000000001'
/** Values by placeholder name: `{field}` is filled by `field`. */
export type ErrorDetails = Readonly<Record<string, string | number>>

type PlaceholderIn<T> = T extends `${string}{${infer N}}${infer Rest}` ? N | PlaceholderIn<Rest> : never
type FieldOf<R, K extends string> = R extends { readonly [P in K]: infer T } ? T : never
type FrontEndOf<R> = FieldOf<R, 'frontEnd'>
type TextOf<R> =
  | FieldOf<R, 'message'>
  | FieldOf<R, 'location'>
  | FieldOf<R, 'extendedHelp'>
  | FieldOf<FrontEndOf<R>, 'consumer'>
  | FieldOf<FieldOf<FrontEndOf<R>, 'help'>, 'url'>
export type PlaceholderOf<N extends ApiErrorName> = PlaceholderIn<TextOf<(typeof API_ERRORS)[N]>>
/** The placeholders of the error, and details that only hints read. */
export type DetailsOf<N extends ApiErrorName> = ErrorDetails & Readonly<Record<PlaceholderOf<N>, string | number>>
export type PlainErrorName = { [N in ApiErrorName]: [PlaceholderOf<N>] extends [never] ? N : never }[ApiErrorName]
type DetailsArgument<N extends ApiErrorName> = [PlaceholderOf<N>] extends [never]
  ? [details?: ErrorDetails]
  : [details: DetailsOf<N>]
export type ErrorItem<N extends ApiErrorName = ApiErrorName> = {
  [M in N]: { readonly name: M; readonly details: DetailsOf<M> }
}[N]

/**
 * One or more errors, which one response reports. The first sets its status and message. `http/errors.ts` formats it.
 * `message` is that of the response, with the field and the problem of an `invalidValue`, which the service does not state.
 */
export class ApiError extends Error {
  readonly items: readonly ErrorItem[]

  constructor(items: readonly ErrorItem[]) {
    super(items[0] ? messageOf(explainItem(items[0])) : '')
    this.items = items
  }
}

const explainItem = (item: ErrorItem): ErrorItem =>
  item.name === 'invalidValue' && item.details.field !== undefined
    ? ({ name: 'invalidInput', details: item.details } as ErrorItem)
    : item

/** Returns the error of a control request, whose response states the field and the problem. */
export const withExplanations = ({ items }: ApiError): ApiError => new ApiError(items.map(explainItem))

/** Details that lack a placeholder of the texts do not compile. */
export const apiError = <N extends ApiErrorName>(name: N, ...[details = {}]: DetailsArgument<N>): ApiError =>
  new ApiError([{ name, details } as ErrorItem])

/** Throws in an expression: `find(id) ?? throwApiError('notFound')`. */
export const throwApiError = <N extends ApiErrorName>(name: N, ...details: DetailsArgument<N>): never => {
  throw apiError(name, ...details)
}

/** `field` is the path of a value in the body. */
export function throwInvalidValue(field: string, problem: string): never {
  const lines = problem.split('\n').map((line) => shortenLine(line))
  throw apiError('invalidValue', { field: shorten(field), problem: lines.join('\n') })
}

export const errorRowOf = ({ name }: ErrorItem): ApiErrorRow => API_ERRORS[name]

export const messageOf = (item: ErrorItem): string => fillMessage(errorRowOf(item).message, item.details)

/** A placeholder without a detail becomes empty. */
export const fillMessage = (text: string, details: ErrorDetails): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ''))
