import { z } from 'zod'
import { parseDuration, parseInstant } from '../../model/clock.ts'
import { describeUnknownName } from '../../schema/values/nearest.ts'
import { isDateObject } from '../matching.ts'

/** The error names the nearest and all known keys. */
export const strictShape = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const [key = ''] = issue.keys as string[]
      const known = Object.keys(shape)
      return `${describeUnknownName(key, known)} There are ${known.join(', ')}`
    },
  })

/** An error of a class becomes the issue of the value. */
export const toTransform =
  <T, R>(parse: (value: T) => R, errorClass: new () => Error = RangeError) =>
  (value: T, { addIssue }: z.RefinementCtx): R => {
    try {
      return parse(value)
    } catch (error) {
      if (!(error instanceof errorClass)) throw error
      addIssue(error.message)
      return z.NEVER
    }
  }

function describeError(parse: () => unknown): string | undefined {
  try {
    parse()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const durationGiven = z.union([z.string(), z.number()], {
  error: ({ input }) => describeError(() => parseDuration(input as string)),
})
/** A duration that stays as it was given: a number of milliseconds, or text such as `90s`. */
export const durationText = durationGiven.superRefine(toTransform((value) => void parseDuration(value)))
export const duration = durationGiven.transform(toTransform((value) => parseDuration(value)))

const MAX_WAIT_MS = 60_000
/** Real time, converted to milliseconds. */
export const wait = duration.refine((ms) => ms <= MAX_WAIT_MS, 'at most 60s')

export const instant = z
  .string({ error: ({ input }) => describeError(() => parseInstant(input as string)) })
  .meta({ format: 'date-time' })
  .transform(toTransform((value) => parseInstant(value)))

type Instant = Date | string | number

/** A text is returned unchanged, and an invalid Date as text that is no instant. */
export function toInstantText(instant: Instant): string
export function toInstantText(instant: Instant | undefined): string | undefined
export function toInstantText(instant: Instant | undefined): string | undefined {
  if (typeof instant === 'string' || instant === undefined) return instant
  if (typeof instant !== 'number' && !isDateObject(instant)) return String(instant)
  const date = new Date(instant)
  return Number.isNaN(date.getTime()) ? String(instant) : date.toISOString()
}

/** The address of an account in a filter. Another text would match nothing. */
export const address = z.string().refine((text) => text.includes('@'), 'give an address')

export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

const occurrences = z.int().min(0).max(1_000_000)
export const times = z.union([
  occurrences,
  strictShape({ min: occurrences.optional(), max: occurrences.optional() }).refine(
    ({ min = 0, max = Number.POSITIVE_INFINITY }) => min <= max,
    'min is greater than max',
  ),
])

/** The schema of a response. Functions return its first field; others are `properties`, or of the response alone. */
export const returns = (shape: z.ZodRawShape) => ({ result: z.object(shape), field: Object.keys(shape)[0] as string })
