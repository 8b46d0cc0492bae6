import { parseObject } from '../schema/values/json.ts'
import { ToolError } from './host.ts'

/** The text of REST. */
export const INVALID_PAGE_TOKEN = 'Invalid page token value.'

// Page tokens are base64url JSON, because tokens are recognised and not secured.

export const toPageToken = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url')

/** Throws a ToolError for a text that is no token, or lacks a field of `shape`. */
export function parsePageToken<T extends object>(token: string, shape: { readonly [N in keyof T]: string }): T {
  const content = parseObject(Buffer.from(token, 'base64url').toString())
  const hasShape = content && Object.entries(shape).every(([name, type]) => typeof content[name] === type)
  if (!hasShape) throw new ToolError(INVALID_PAGE_TOKEN)
  return content as T
}

const DEFAULT_PAGE_SIZE = 100
const MAX_PAGE_SIZE = 250

/** Returns the size of a page: 100 if none is given, at most 250. Throws a ToolError below 0 (behaviour 17.9). */
export function toPageSize(given: unknown, byDefault = DEFAULT_PAGE_SIZE): number {
  const size = typeof given === 'number' && given !== 0 ? given : byDefault
  if (size < 0) throw new ToolError(`Invalid value at 'pageSize' (TYPE_INT32), ${size}`)
  return Math.min(size, MAX_PAGE_SIZE)
}
