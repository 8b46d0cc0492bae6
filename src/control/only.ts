import { z } from 'zod'

/** An object with no other keys than these; of another one it is said which there are. */
export const only = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const [key = ''] = issue.keys as string[]
      return `there is no ${JSON.stringify(key)}, only ${Object.keys(shape).join(', ')}`
    },
  })
