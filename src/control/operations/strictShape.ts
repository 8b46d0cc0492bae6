import { z } from 'zod'
import { findNearest } from '../../schema/values/nearest.ts'

/** A schema without other keys. The error for an unknown key names the nearest and all known keys. */
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
