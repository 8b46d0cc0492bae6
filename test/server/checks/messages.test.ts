import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ALICE, BOB, type Client, hour, openCalendar } from '../../support/calendar.ts'
import { fillPath } from '../../support/fillPath.ts'
import surface from '../../surface.json' with { type: 'json' }

type Shape = {
  $ref?: string
  type?: string
  items?: Shape
  properties?: Record<string, Shape>
  additionalProperties?: Shape
}
type Method = { id: string; httpMethod: string; path: string; request?: string; parameters?: Record<string, object> }
const SHAPES = surface.schemas as unknown as Record<string, Shape>
const METHODS = Object.entries(surface.methods as unknown as Record<string, Omit<Method, 'id'>>).map(
  ([id, method]) => ({
    ...method,
    id: id.replace('calendar.', ''),
  }),
)

const BOOK = 'docs/behaviour'
/** A part of a message that depends on the request, or a sample of it. */
const VARIABLE = /'[^']*'|\[[^\]]*\]|\{url\}|…|foo$|(?<=^Required parameter: )\w+/
const escapeText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
/** Code spans and cells of tables in the book: a sentence of two words or more, or a message in brackets. */
const LISTED = readdirSync(BOOK)
  .flatMap((file) =>
    readFileSync(`${BOOK}/${file}`, 'utf8')
      .replace(/\n {2}/g, ' ')
      .split('\n'),
  )
  .flatMap((line) => [
    ...[...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
    ...(line.startsWith('|') ? line.split('|').flatMap((cell) => cell.split(' / ')) : []),
  ])
  .map((text) => text.trim().replace(/^\((?:not known; ours: )?(.*)\)$/, '$1'))
  .filter((text) => text === 'Required' || /^['a-zA-Z][\w'-]* .*[\w…]/.test(text))
  .map((text) => new RegExp(`^${text.split(new RegExp(VARIABLE, 'g')).map(escapeText).join('.*')}$`, 's'))

const isListed = (message: string): boolean => LISTED.some((pattern) => pattern.test(message))

const TEXTS = ['', ' ', 'moon', 'a@b', '-1', '9'.repeat(400), '2026-02-30', 'https://', '#12345g']
/** Values of other kinds are those of `wrongKinds.test.ts`. */
const VALUES: readonly unknown[] = [...TEXTS, null, -1, 1e12, {}, []]

const MAX_DEPTH = 4
/** The methods whose bodies are checked by the code of `events.insert`: only their outermost fields are tried. */
const READ_LIKE_INSERT = new Set(['events.import', 'events.update'])

/** Yields the paths of the fields of a shape down to `MAX_DEPTH`. `depth` is that of the shape. A list has one entry. */
function* listFields(shape: Shape, depth: number): Generator<(string | 0)[]> {
  const { properties = {}, items } = shape.$ref ? (SHAPES[shape.$ref] ?? {}) : shape
  if (depth > MAX_DEPTH) return
  if (items) for (const path of [[], ...listFields(items, depth + 1)]) yield [0, ...path]
  for (const [name, inner] of Object.entries(properties))
    for (const path of [[], ...listFields(inner, depth + 1)]) yield [name, ...path]
}

function withValue(base: unknown, [first, ...rest]: readonly (string | 0)[], value: unknown): unknown {
  if (first === undefined) return value
  if (first === 0) return [withValue(undefined, rest, value)]
  const fields = (base ?? {}) as Record<string, unknown>
  return { ...fields, [first]: withValue(fields[first], rest, value) }
}

const BODIES: Record<string, object> = {
  AclRule: { role: 'reader', scope: { type: 'user', value: BOB } },
  Calendar: { summary: 'Team' },
  CalendarListEntry: { id: ALICE },
  Channel: { id: 'channel', type: 'web_hook', address: 'https://example.com/hook' },
  Event: { ...hour('2026-03-02', 12), iCalUID: 'lunch@example.org' },
  FreeBusyRequest: { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z', items: [{ id: ALICE }] },
}
const FEATURES = 'conferenceDataVersion=1&supportsAttachments=true&eventLabelVersion=1&colorRgbFormat=true'

async function open() {
  const { as } = openCalendar()
  const alice = as(ALICE)
  const { body } = await alice.post('/calendars/primary/events', hour('2026-03-02', 12))
  await alice.post('/calendars/primary/acl', BODIES.AclRule)
  const ids = { calendarId: ALICE, eventId: body.id, ruleId: `user:${BOB}`, setting: 'locale', destination: ALICE }
  const unlisted = new Set<string>()
  const check = (reply: { status: number; body: { error?: { errors?: { message: string }[]; message: string } } }) => {
    if (reply.status < 400) return
    for (const { message } of reply.body.error?.errors ?? []) if (!isListed(message)) unlisted.add(message)
  }
  const send = async ({ httpMethod, path }: Method, query: string, sent?: unknown) =>
    check(await alice[httpMethod.toLowerCase() as keyof Client](`${fillPath(`/${path}`, ids).path}?${query}`, sent))
  return { send, unlisted }
}

test('2.2.1 the list of messages does not contain a sentence of a validator', () => {
  expect(isListed('Invalid Value')).toBe(true)
  expect(isListed('Missing role.')).toBe(true)
  for (const sentence of [
    'Invalid value for: colorId: no color 99',
    'colorId: no color 99',
    'Expected string, received number',
  ])
    expect(isListed(sentence), sentence).toBe(false)
})

test.each(METHODS.filter(({ request }) => request))(
  '2.2.1, 14.49 every message of $id to a wrong field is one of the book',
  { timeout: 60_000 },
  async (method) => {
    const { send, unlisted } = await open()
    const { request = '' } = method
    for (const path of listFields({ $ref: request }, READ_LIKE_INSERT.has(method.id) ? MAX_DEPTH : 0))
      for (const value of VALUES) await send(method, FEATURES, withValue(BODIES[request], path, value))
    expect([...unlisted]).toEqual([])
  },
)

test.each(METHODS)('2.2.1, 14.49 every message of $id to a wrong parameter is one of the book', async (method) => {
  const { send, unlisted } = await open()
  const names = Object.keys({ ...method.parameters, ...surface.parameters })
  for (const name of names)
    for (const value of TEXTS)
      await send(method, new URLSearchParams({ [name]: value }).toString(), BODIES[method.request ?? ''])
  expect([...unlisted]).toEqual([])
})
