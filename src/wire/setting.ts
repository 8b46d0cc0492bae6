import { z } from 'zod'
import { kind, named, type Solid, text } from './json.ts'

/** One of an account's settings. */
export const setting = named(
  'Setting',
  z.object({ kind: kind('calendar#setting'), etag: text(), id: text(), value: text() }),
)

export type Setting = Required<Solid<z.output<typeof setting>>> & { kind: 'calendar#setting' }
