import type { z } from 'zod'
import { CONFERENCE_TYPES } from '../src/schema/conferencePolicy.ts'
import { discovery } from '../src/schema/jsonSchema.ts'
import { mail } from '../src/schema/mail.ts'
import { OAUTH_TYPES } from '../src/schema/oauth.ts'
import { PUBLIC_SEED } from '../src/seeds/schema/seed.ts'
import { accountSeed, calendarSeed } from '../src/seeds/schema/shape.ts'

type Definition = {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly valueType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly entries?: Readonly<Record<string, string>>
  readonly values?: readonly unknown[]
}

const definitionOf = (schema: z.ZodType | undefined) => schema?._zod.def as Definition

/**
 * Returns the declarations of types, by name: those of the values that schemas return, with their descriptions as comments. Types
 * inferred from zod would need its declarations, which not every compiler of a user accepts, and would have no comments.
 */
export function declareTypes(types: Readonly<Record<string, z.ZodType>>): string {
  const names = new Map(Object.entries(types).map(([name, schema]) => [schema, name]))
  const printInside = (schema: z.ZodType | undefined): string => (schema && names.get(schema)) ?? print(schema)

  function print(schema: z.ZodType | undefined, named = schema && discovery.get(schema)?.type): string {
    const { type, shape, element, innerType, valueType, options, entries, values } = definitionOf(schema)
    if (innerType) {
      const inner = names.get(innerType) ?? print(innerType, named ?? discovery.get(innerType)?.type)
      return type === 'nullable' ? `${inner} | null` : inner
    }
    if (named) return named === 'integer' ? 'number' : named
    if (shape) return `{\n${Object.entries(shape).map(printField).join('\n')}\n}`
    if (element) return `(${printInside(element)})[]`
    if (valueType) return `Record<string, ${printInside(valueType)}>`
    if (options) return options.map(printInside).join(' | ')
    const literals = values ?? (entries && Object.values(entries))
    return literals?.map((value) => JSON.stringify(value)).join(' | ') ?? type
  }

  function printField([name, schema]: [string, z.ZodType]): string {
    const { type, innerType } = definitionOf(schema)
    const isOptional = type === 'optional'
    const description = schema.description ?? (innerType && !names.has(innerType) ? innerType.description : undefined)
    const comment = description === undefined ? '' : `/** ${description} */\n`
    return `${comment}${name}${isOptional ? '?' : ''}: ${printInside(schema)}${isOptional ? ' | undefined' : ''}`
  }

  return Object.entries(types)
    .map(
      ([name, schema]) =>
        `${schema.description ? `/** ${schema.description} */\n` : ''}export type ${name} = ${print(schema)}`,
    )
    .join('\n')
}

const { events } = calendarSeed.shape

/** Declarations of modules whose types derive from schemas, by the paths of the declarations. */
export const DECLARATIONS: Readonly<Record<string, string>> = {
  'src/schema/conferencePolicy.d.ts': declareTypes(CONFERENCE_TYPES),
  'src/schema/mail.d.ts': declareTypes({ Mail: mail, MailKind: mail.shape.kind }),
  'src/schema/oauth.d.ts': declareTypes(OAUTH_TYPES),
  'src/seeds/schema/seed.d.ts': declareTypes({
    ...CONFERENCE_TYPES,
    ...OAUTH_TYPES,
    Mail: mail,
    MailKind: mail.shape.kind,
    SeedAccount: accountSeed,
    SeedEvent: events.unwrap().element,
    SeedCalendar: calendarSeed,
    Seed: PUBLIC_SEED,
  }),
}
