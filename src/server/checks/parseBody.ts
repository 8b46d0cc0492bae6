import type { BodyFields } from '../../control/hints/hints.ts'
import { strayFields } from '../../control/hints/ignored.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { BodyName } from '../../schema/bodies.ts'
import { parseJson, parseWith } from '../parse.ts'
import type { RequestContext } from '../requestContext.ts'
import { textOf } from './readBody.ts'

/** Parses the body with the schema of the endpoint. Throws 400. Its schemas are loaded by `prepare`. */
export function parseBody(context: RequestContext): void {
  const { endpoint, rawBody } = context
  if (!endpoint?.request || !schemas) return
  const text = textOf(rawBody)
  if (rawBody?.isForm && text !== '') throw apiError('formEncodedBody')
  const { BODIES, SCHEMAS } = schemas
  const name = endpoint.request
  const data = parseJson(text)
  context.body = parseWith(BODIES[name], data)
  const { writable, all } = fieldNamesOf(name, BODIES[name].shape, SCHEMAS[name]?.properties)
  context.bodyFields = { data: Object(data), stray: strayFields(data, name, SCHEMAS), writable, all }
}

type Schemas = Pick<typeof import('../../schema/bodies.ts'), 'BODIES'> &
  Pick<typeof import('../../schema/schemas.ts'), 'SCHEMAS'>
/** Loaded with the first body, because building the schemas would delay every start. */
let schemas: Schemas | undefined

/** Loads the schemas that `parseBody` needs. Returns undefined if they are loaded. */
export const loadBodySchemas = (): Promise<void> | undefined => (schemas ? undefined : loadSchemas())

async function loadSchemas(): Promise<void> {
  const { BODIES } = await import('../../schema/bodies.ts')
  const { SCHEMAS } = await import('../../schema/schemas.ts')
  schemas = { BODIES, SCHEMAS }
}

type FieldNames = Pick<BodyFields, 'writable' | 'all'>
const fieldNames = new Map<BodyName, FieldNames>()

function fieldNamesOf(name: BodyName, shape: object, properties: object = {}): FieldNames {
  const found = fieldNames.get(name) ?? {
    writable: new Set(Object.keys(shape)),
    all: new Set(Object.keys(properties)),
  }
  fieldNames.set(name, found)
  return found
}
