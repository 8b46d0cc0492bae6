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

/** Parses data with a schema. Throws `invalidValue`, which names the first wrong field and lists the others. */
export function parseWith<S extends z.ZodType>(schema: S, data: unknown): z.output<S> {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const issue = deepestIssue(result.error.issues)
  const others = result.error.issues.slice(1).map((one) => {
    const other = deepestIssue([one])
    return `\n${formatPath(other?.path ?? []) || 'body'}: ${other?.message ?? ''}`
  })
  throw apiError('invalidValue', {
    field: formatPath(issue?.path ?? []) || 'body',
    problem: [issue?.message ?? '', ...others].join(''),
  })
}

/** Returns the first value of each query parameter. */
export const firstValues = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.get(name) ?? '']))
