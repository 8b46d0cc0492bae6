import { z } from 'zod'

/** A schema in the words of a discovery document. */
export type Schema = {
  readonly id?: string
  readonly type?: 'string' | 'boolean' | 'integer' | 'array' | 'object' | 'any'
  readonly format?: 'int32' | 'int64' | 'date' | 'date-time'
  readonly default?: string
  readonly $ref?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly annotations?: { readonly required: readonly string[] }
}

/** What discovery says of a schema beside what the schema itself tells: its name, its default, who needs it. */
export const discovery = z.registry<Schema>()

const say = <S extends z.ZodType>(schema: S, said: Schema): S => {
  discovery.add(schema, { ...discovery.get(schema), ...said })
  return schema
}

/** A schema of the service, by its name: wherever another holds it, discovery refers to it. */
export const named = <S extends z.ZodType>(id: string, schema: S): S => say(schema, { id })

/** The fields that are read of a schema which has more. Discovery refers to the schema by its name. */
export const partOf = <S extends z.ZodType>(name: string, schema: S): S => say(schema, { $ref: name })

/** A field without which these methods refuse a body. */
export const neededBy = <S extends z.ZodType>(schema: S, ...methods: string[]): S =>
  say(schema, { annotations: { required: methods.map((method) => `calendar.${method}`) } })

/** A field’s value where nobody gives one. Parsing does not fill it in: a patch would then reset what it does not name. */
export const byDefault = <S extends z.ZodType>(schema: S, value: string): S => say(schema, { default: value })

/**
 * The pieces that resources are made of. Every field may be absent or `null`: absent and null are one to an insert or a
 * PUT, and null removes in a PATCH (behaviour 3.9.2). What is required, the verb says in the service's own words.
 */
export const text = () => say(z.union([z.string(), z.number().transform(String)]).nullish(), { type: 'string' }) // as lenient as `int32` is with texts
export const kind = (name: string) => byDefault(text(), name)
export const date = () => say(z.string().nullish(), { format: 'date' })
export const instant = () => say(z.string().nullish(), { format: 'date-time' })
export const flag = () => z.boolean().nullish()
export const int32 = () =>
  say(
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
  say(z.union([z.string().regex(/^\d+$/), z.int().transform(String)]).nullish(), { type: 'string', format: 'int64' })
export const oneOf = <const E extends readonly [string, ...string[]]>(...allowed: E) => z.enum(allowed).nullish()
export const list = <S extends z.ZodType>(item: S) => z.array(item).nullish()
/** Text by name; a number or a boolean is taken as its text (behaviour 3.2.3). */
export const map = () =>
  z
    .record(
      z.string(),
      say(z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]).nullable(), {
        type: 'string',
      }),
    )
    .nullish()
/** Things of one kind by their ids, as only replies have them. */
export const byId = <S extends z.ZodType>(value: S) => z.record(z.string(), value).nullish()
export const part = <S extends z.ZodRawShape>(shape: S) => z.object(shape).nullish()

/** A body once its nulls are gone: what the world stores. */
export type Solid<T> = T extends readonly (infer I)[]
  ? Solid<I>[]
  : T extends object
    ? { [K in keyof T]: Solid<Exclude<T[K], null>> }
    : T
