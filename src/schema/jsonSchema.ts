import { z } from 'zod'

/** `$ref` is the `id` of another schema. */
export type JsonSchema = {
  readonly id?: string
  readonly type?: 'string' | 'boolean' | 'integer' | 'array' | 'object' | 'any'
  readonly format?: 'int32' | 'int64' | 'date' | 'date-time'
  readonly default?: string
  readonly $ref?: string
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema
  readonly annotations?: { readonly required: readonly string[] }
}

/** Properties that zod cannot express: name, default, format, and the methods that require a field. */
export const discovery = z.registry<JsonSchema>()

const annotate = <S extends z.ZodType>(schema: S, properties: JsonSchema): S => {
  const copy = schema.clone()
  discovery.add(copy, { ...discovery.get(schema), ...properties })
  return copy
}

/** The discovery document then refers to the schema by `$ref`. */
export const namedSchema = <S extends z.ZodType>(id: string, schema: S): S => annotate(schema, { id })

/** Marks a schema that parses only some fields of the schema `name`. Discovery prints a `$ref` to that one in its place. */
export const partOf = <S extends z.ZodType>(name: string, schema: S): S => annotate(schema, { $ref: name })

/** Only discovery prints it; parsing does not check it. */
export const neededBy = <S extends z.ZodType>(schema: S, ...methods: string[]): S =>
  annotate(schema, { annotations: { required: methods.map((method) => `calendar.${method}`) } })

/**
 * Only discovery prints the default. Parsing does not apply it, because a patch would then reset fields that it does not name.
 */
export const byDefault = <S extends z.ZodType>(schema: S, value: string): S => annotate(schema, { default: value })

// Every field may be absent or null. For inserts and PUT both mean absent; in a PATCH, null removes (behaviour 3.9.2). Methods
// check required fields themselves, with the messages of the service. Fields share one schema of each type, because one for each
// field took an eighth of the time of the import.

const digits = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
const numberAsText = z.number().transform(String)

export const text = annotate(z.union([z.string(), numberAsText]).nullish(), { type: 'string' })
export const kind = (name: string) => byDefault(text, name)
export const date = annotate(z.string().nullish(), { format: 'date' })
export const instant = annotate(z.string().nullish(), { format: 'date-time' })
export const flag = z.boolean().nullish()
export const int32 = annotate(z.union([z.int32(), digits.pipe(z.int32())]).nullish(), {
  type: 'integer',
  format: 'int32',
})
/** A non-negative integer in decimal digits, or any integer. Parsing returns a text, as JSON of the service has it. */
export const int64 = annotate(z.union([z.string().regex(/^\d+$/), z.int().transform(String)]).nullish(), {
  type: 'string',
  format: 'int64',
})
export const oneOf = <const E extends readonly [string, ...string[]]>(...allowed: E) => z.enum(allowed).nullish()
export const listOf = <S extends z.ZodType>(item: S) => z.array(item).nullish()
/** Numbers and booleans are converted to text (behaviour 3.2.3); null removes a name. */
export const map = z
  .record(
    z.string(),
    annotate(z.union([z.string(), numberAsText, z.boolean().transform(String)]).nullable(), { type: 'string' }),
  )
  .nullish()
export const byId = <S extends z.ZodType>(value: S) => z.record(z.string(), value).nullish()
export const part = <S extends z.ZodRawShape>(shape: S) => z.object(shape).nullish()

/** The type of a stored record, without nulls at any depth. */
export type WithoutNulls<T> = T extends readonly (infer I)[]
  ? WithoutNulls<I>[]
  : T extends object
    ? { [K in keyof T]: WithoutNulls<Exclude<T[K], null>> }
    : T
