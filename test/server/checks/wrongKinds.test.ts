import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { Endpoint } from '../../../src/api/endpoint.ts'
import { api } from '../../../src/api/index.ts'
import { BODIES } from '../../../src/schema/bodies.ts'
import { ALICE, BOB, type Client, errorOf, hour, openCalendar } from '../../support/calendar.ts'
import { fillPath } from '../../support/fillPath.ts'

const METHODS = api.filter(({ verb }) => verb === 'POST' || verb === 'PUT' || verb === 'PATCH')
const WITH_BODY = METHODS.flatMap((endpoint) => (endpoint.request ? [{ ...endpoint, request: endpoint.request }] : []))

/** Words of a validator, which no response of the service contains. */
const VALIDATOR =
  /expected|received|invalid (?:input|option|string|type|element|key)|unrecognized|too (?:big|small)|must match|NaN/i

/** JSON values that are no object, as texts. The first is a JSON text inside a JSON string. */
const NO_OBJECTS = [JSON.stringify(JSON.stringify({ summary: 'Lunch' })), '"Team"', '[]', '[{}]', 'null', '7', 'true']

/** Values of every kind. Each field rejects some of them. */
const KINDS: Record<string, unknown> = {
  text: 'moon',
  number: 1.5,
  flag: true,
  object: { moon: [] },
  list: [{ moon: [] }],
  deepList: [['moon']],
  long: '9'.repeat(400),
}

/** Opens a world with one event, and returns a client and a function that sends a body to a method. */
async function openForWrites() {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const { body } = await alice.post('/calendars/primary/events', hour('2026-03-02', 12))
  await alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: BOB } })
  const ids = { calendarId: ALICE, eventId: body.id, ruleId: `user:${BOB}`, setting: 'locale' }
  const send = ({ verb, path }: Pick<Endpoint, 'verb' | 'path'>, sent: unknown) =>
    alice[verb.toLowerCase() as keyof Client](fillPath(path, ids).path, sent)
  return send
}

test.each(METHODS)('14.55 $id takes a JSON value that is no object as an empty body', async (endpoint) => {
  const empty = errorOf(await (await openForWrites())(endpoint, '{}'))
  for (const text of NO_OBJECTS) {
    const send = await openForWrites()

    expect(errorOf(await send(endpoint, text)), text).toEqual(empty)
  }
})

test('14.55 an insert of a JSON text inside a JSON string is 400 Missing end time, with a hint', async () => {
  const reply = await openCalendar()
    .as(ALICE)
    .post('/calendars/primary/events', JSON.stringify(JSON.stringify(hour('2026-03-02', 12))))

  expect(errorOf(reply)).toMatchObject({ status: 400, reason: 'required', message: 'Missing end time.' })
  expect(reply.headers.get('X-Fake-Calendar-Hint')).toContain('FC204')
})

/**
 * Returns the path of every field of a schema, at any depth, as lists of keys: `attendees`, 0, `email`. Fields that accept every
 * value are left out.
 */
function pathsOf(schema: z.ZodType, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const { def } = schema as {
    def: {
      type: string
      innerType?: z.ZodType
      element?: z.ZodType
      shape?: Record<string, z.ZodType>
      valueType?: z.ZodType
    }
  }
  if (def.innerType) return pathsOf(def.innerType, path)
  if (def.type === 'unknown' || def.type === 'any') return []
  const inner = def.shape
    ? Object.entries(def.shape).flatMap(([name, field]) => pathsOf(field, [...path, name]))
    : def.element
      ? pathsOf(def.element, [...path, 0])
      : def.valueType
        ? pathsOf(def.valueType, [...path, 'key'])
        : []
  return path.length === 0 ? inner : [path, ...inner]
}

/** Returns a body in which only the value at a path is given. */
const bodyWith = (path: readonly (string | number)[], value: unknown): unknown =>
  path.reduceRight((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value)

const format = (path: readonly (string | number)[]): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at ? '.' : ''}${key}`)).join('')

test.each(WITH_BODY)(
  '2.2.1, 14.49 $id answers a wrong kind in each field without the words of a validator',
  async (endpoint) => {
    const schema: z.ZodObject = BODIES[endpoint.request]
    const send = await openForWrites()
    const wrong: unknown[] = []
    for (const path of pathsOf(schema)) {
      let rejected = 0
      for (const [kind, value] of Object.entries(KINDS)) {
        const body = bodyWith(path, value)
        const reply = await send(endpoint, body)
        const { status, domain, reason, message } = errorOf(reply)
        const answer = [status, domain, reason, message].join(' ')
        if (status >= 500 || VALIDATOR.test(reply.text)) wrong.push([kind, format(path), answer, reply.text])
        if (schema.safeParse(body).success) continue
        rejected++
        const hint = reply.headers.get('X-Fake-Calendar-Hint') ?? ''
        if (answer !== '400 global invalid Invalid value' || !hint.includes(`FC210 ${format(path)}`))
          wrong.push([kind, format(path), answer, hint])
      }
      if (rejected === 0) wrong.push([format(path), 'takes a value of every kind'])
    }

    expect(wrong).toEqual([])
  },
)
