import { z } from 'zod'

/**
 * The pieces that request bodies are made of. Every field may be absent or `null`: absent and null are one to an insert
 * or a PUT, and null removes in a PATCH (behaviour 3.9.2). What is required, the verb says in the service's own words.
 */
export const text = () => z.string().nullish()
export const flag = () => z.boolean().nullish()
export const int32 = () =>
  z
    .union([
      z.int32(),
      z
        .string()
        .regex(/^-?\d+$/)
        .transform(Number),
    ])
    .nullish()
export const oneOf = <const E extends readonly [string, ...string[]]>(...allowed: E) => z.enum(allowed).nullish()
export const list = <S extends z.ZodType>(item: S) => z.array(item).nullish()
export const int64 = () => z.union([z.string().regex(/^\d+$/), z.int().transform(String)]).nullish()
/** Text by name; a number or a boolean is taken as its text (behaviour 3.2.3). */
export const map = () =>
  z
    .record(z.string(), z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]).nullable())
    .nullish()
export const part = <S extends z.ZodRawShape>(shape: S) => z.object(shape).nullish()

/** A body once its nulls are gone: what the world stores. */
export type Solid<T> = T extends readonly (infer I)[]
  ? Solid<I>[]
  : T extends object
    ? { [K in keyof T]: Solid<Exclude<T[K], null>> }
    : T
