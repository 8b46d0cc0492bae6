import { z } from 'zod'

/** A schema as a discovery document contains it. */
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

/** The properties that discovery adds to a schema: its name, its default, and the methods that require it. */
export const discovery = z.registry<JsonSchema>()

const annotate = <S extends z.ZodType>(schema: S, properties: JsonSchema): S => {
  discovery.add(schema, { ...discovery.get(schema), ...properties })
  return schema
}

/** Names a schema of the service. Discovery refers to it wherever another schema contains it. */
export const namedSchema = <S extends z.ZodType>(id: string, schema: S): S => annotate(schema, { id })

/** Marks the parsed fields of a schema that has more fields. Discovery refers to the full schema by its name. */
export const partOf = <S extends z.ZodType>(name: string, schema: S): S => annotate(schema, { $ref: name })

/** Marks a field that these methods require. */
export const neededBy = <S extends z.ZodType>(schema: S, ...methods: string[]): S =>
  annotate(schema, { annotations: { required: methods.map((method) => `calendar.${method}`) } })

/**
 * Documents the default of a field. Parsing does not apply it, because a patch would then reset fields that it does not
 * name.
 */
export const byDefault = <S extends z.ZodType>(schema: S, value: string): S => annotate(schema, { default: value })

/**
 * Building blocks of resources. Every field may be absent or `null`. For inserts and PUT both mean absent; in a PATCH,
 * null removes (behaviour 3.9.2). Methods check required fields themselves, with the messages of the service.
 */
export const text = () => annotate(z.union([z.string(), z.number().transform(String)]).nullish(), { type: 'string' }) // accepts numbers, as `int32` accepts text
export const kind = (name: string) => byDefault(text(), name)
export const date = () => annotate(z.string().nullish(), { format: 'date' })
export const instant = () => annotate(z.string().nullish(), { format: 'date-time' })
export const flag = () => z.boolean().nullish()
export const int32 = () =>
  annotate(
    z
      .union([
        z.int32(),
        z
          .string()
          .regex(/^-?\d+$/)
          .transform(Number)
          .pipe(z.int32()),
      ])
      .nullish(),
    { type: 'integer', format: 'int32' },
  )
export const int64 = () =>
  annotate(z.union([z.string().regex(/^\d+$/), z.int().transform(String)]).nullish(), {
    type: 'string',
    format: 'int64',
  })
export const oneOf = <const E extends readonly [string, ...string[]]>(...allowed: E) => z.enum(allowed).nullish()
export const list = <S extends z.ZodType>(item: S) => z.array(item).nullish()
/** A map of texts by name. Numbers and booleans are accepted as text (behaviour 3.2.3). */
export const map = () =>
  z
    .record(
      z.string(),
      annotate(z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]).nullable(), {
        type: 'string',
      }),
    )
    .nullish()
/** A map of values by id, which only replies contain. */
export const byId = <S extends z.ZodType>(value: S) => z.record(z.string(), value).nullish()
export const part = <S extends z.ZodRawShape>(shape: S) => z.object(shape).nullish()

/** A body after its nulls have been removed: the stored type. */
export type WithoutNulls<T> = T extends readonly (infer I)[]
  ? WithoutNulls<I>[]
  : T extends object
    ? { [K in keyof T]: WithoutNulls<Exclude<T[K], null>> }
    : T
