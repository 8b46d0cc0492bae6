import { z } from 'zod'
import { nearest } from '../wire/nearest.ts'

/** An object with no other keys than these; of another one it is said which is the nearest, and which there are. */
export const only = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const [key = ''] = issue.keys as string[]
      const known = Object.keys(shape)
      const meant = JSON.stringify(nearest(key, known))
      return `there is no ${JSON.stringify(key)}; did you mean ${meant}? There are ${known.join(', ')}`
    },
  })
