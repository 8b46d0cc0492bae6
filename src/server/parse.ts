import type { z } from 'zod'
import { deepest, pathOf } from '../wire/issues.ts'
import { parseJson as parse } from '../wire/parseJson.ts'
import { refuse } from '../wire/refusals.ts'

/** Parses JSON. An empty text is an empty object. Throws `parseError`. */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parse(text)
  } catch {
    return refuse('parseError')
  }
}

/** Parses data with a schema. Throws `invalidValue`, which names the wrong field. */
export function parseWith<S extends z.ZodType>(schema: S, data: unknown): z.output<S> {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const issue = deepest(result.error.issues)
  return refuse('invalidValue', { field: pathOf(issue?.path ?? []) || 'body', problem: issue?.message ?? '' })
}

/** Returns the first value of each query parameter. */
export const firstValues = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.get(name) ?? '']))
