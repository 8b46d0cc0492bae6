import type { z } from 'zod'
import { apiError } from '../schema/apiErrors.ts'
import { deepestIssue, formatPath } from '../schema/values/issues.ts'
import { parseJson as parse } from '../schema/values/parseJson.ts'

/** Parses JSON. An empty text is an empty object. Throws `parseError`. */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parse(text)
  } catch {
    throw apiError('parseError')
  }
}

/**
 * Parses data with a schema. Throws `invalidValue`, which names the first wrong field and lists the others. A problem of
 * the data as a whole, such as an unknown name, is reported of `place`.
 */
export function parseWith<S extends z.ZodType>(
  schema: S,
  data: unknown,
  place: 'body' | 'query' = 'body',
): z.output<S> {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const issue = deepestIssue(result.error.issues)
  const others = result.error.issues.slice(1).map((one) => {
    const other = deepestIssue([one])
    return `\n${formatPath(other?.path ?? []) || place}: ${other?.message ?? ''}`
  })
  throw apiError('invalidValue', {
    field: formatPath(issue?.path ?? []) || place,
    problem: [issue?.message ?? '', ...others].join(''),
  })
}

/** Returns the first value of each query parameter. */
export const firstValues = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.get(name) ?? '']))
