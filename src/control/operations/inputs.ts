import { z } from 'zod'
import { parseDuration } from '../../model/clock.ts'
import { findNearest } from '../../schema/values/nearest.ts'

/**
 * Returns a zod schema of an object without other keys. The error for an unknown key names the nearest and all known
 * keys.
 */
export const strictShape = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const [key = ''] = issue.keys as string[]
      const known = Object.keys(shape)
      const nearest = JSON.stringify(findNearest(key, known))
      return `there is no ${JSON.stringify(key)}; did you mean ${nearest}? There are ${known.join(', ')}`
    },
  })

/** A valid duration: a number of milliseconds, or text such as `90s`. It stays as it was given. */
export const durationText = z.union([z.string(), z.number()]).superRefine((value, { addIssue }) => {
  try {
    parseDuration(value)
  } catch (error) {
    addIssue((error as Error).message)
  }
})

/** A duration that is converted to milliseconds. */
export const duration = durationText.transform((value) => parseDuration(value))
