import { z } from 'zod'
import { nearest } from '../wire/nearest.ts'

/** A schema without other keys. The error for an unknown key names the nearest and all known keys. */
export const strictShape = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const [key = ''] = issue.keys as string[]
      const known = Object.keys(shape)
      const meant = JSON.stringify(nearest(key, known))
      return `there is no ${JSON.stringify(key)}; did you mean ${meant}? There are ${known.join(', ')}`
    },
  })
