import type { BodyFields } from '../../control/hints/hints.ts'
import { strayFields } from '../../control/hints/ignored.ts'
import type { BodyName } from '../../wire/bodies.ts'
import { refuse } from '../../wire/refusals.ts'
import { parseJson, parseWith } from '../parse.ts'
import type { RequestContext } from '../requestContext.ts'
import { textOf } from './readBody.ts'

/** Parses the body with the schema of the endpoint. Throws 400. */
export async function parseBody(context: RequestContext): Promise<void> {
  const { endpoint, rawBody } = context
  if (!endpoint?.request) return
  const text = textOf(rawBody)
  if (rawBody?.isForm && text !== '') refuse('formEncodedBody')
  schemas ??= await loadSchemas()
  const { BODIES, SCHEMAS } = schemas
  const name = endpoint.request
  const data = parseJson(text)
  context.body = parseWith(BODIES[name], data)
  const { writable, all } = fieldNamesOf(name, BODIES[name].shape, SCHEMAS[name]?.properties)
  context.bodyFields = { data: Object(data), stray: strayFields(data, name, SCHEMAS), writable, all }
}

type Schemas = Pick<typeof import('../../wire/bodies.ts'), 'BODIES'> &
  Pick<typeof import('../../wire/schemas.ts'), 'SCHEMAS'>
/** Loaded with the first body, because building the schemas would delay every start. */
let schemas: Schemas | undefined

async function loadSchemas(): Promise<Schemas> {
  const { BODIES } = await import('../../wire/bodies.ts')
  const { SCHEMAS } = await import('../../wire/schemas.ts')
  return { BODIES, SCHEMAS }
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
