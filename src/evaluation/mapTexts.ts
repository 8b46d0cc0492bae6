/** Objects of another realm, such as those of tests under jest, are plain too. Dates and matchers are not. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === null || Object.getPrototypeOf(proto) === null
}

/** Applies a function to all texts, the names of fields included. `field` is the name of the field that has the text. */
export function mapTexts<T>(value: T, map: (text: string, field: string) => string, field?: string): T
export function mapTexts(value: unknown, map: (text: string, field: string) => string, field = ''): unknown {
  if (typeof value === 'string') return map(value, field)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map, field))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [map(name, ''), mapTexts(part, map, name)]))
}

/** Finds an own field by its path. */
export const findField = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (Object.hasOwn(Object(part), name) ? Object(part)[name] : undefined), value)
