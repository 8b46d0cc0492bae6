import type { JsonSchema } from './jsonSchema.ts'

const MAX_UNKNOWN_FIELDS = 5

type Schemas = Readonly<Record<string, JsonSchema>>
export type UnknownField = { readonly path: string; readonly name: string; readonly known: readonly string[] }

/** Searches at any depth. */
export function findUnknownFields(body: unknown, name: string, schemas: Schemas): UnknownField[] {
  const found: UnknownField[] = []
  const visit = (value: unknown, schema: JsonSchema | undefined, path: string): void => {
    const whole = schema?.$ref === undefined ? schema : schemas[schema.$ref]
    if (typeof value !== 'object' || value === null || !whole) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item, whole.items, `${path}[]`)
      return
    }
    const { properties } = whole
    if (!properties) return
    for (const field of Object.keys(value)) {
      const at = path === '' ? field : `${path}.${field}`
      if (Object.hasOwn(properties, field)) visit((value as Record<string, unknown>)[field], properties[field], at)
      else if (found.length < MAX_UNKNOWN_FIELDS) found.push({ path: at, name: field, known: Object.keys(properties) })
    }
  }
  visit(body, schemas[name], '')
  return found
}
