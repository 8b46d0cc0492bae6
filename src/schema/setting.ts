import { z } from 'zod'
import { kind, namedSchema, text, type WithoutNulls } from './jsonSchema.ts'

export const setting = namedSchema(
  'Setting',
  z.object({ kind: kind('calendar#setting'), etag: text, id: text, value: text }),
)

export type Setting = Required<WithoutNulls<z.output<typeof setting>>> & { kind: 'calendar#setting' }
