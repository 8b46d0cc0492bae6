import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar, type Reply } from './calendar.ts'

/** The tests of a field: it is written, read, patched and cleared, and invalid values are rejected. */
export type FieldRow = {
  /** `Event.summary`, `EventAttendee.comment`: the title of its test. */
  field: string
  /** The path of the field in an event: `attendees[0].comment`. */
  path: string
  /** A body beside the times of an event, and what the reply then shows. */
  write: object
  shows: unknown
  patch: object
  patched: unknown
  clear: object
  /** The value of a cleared field; by default it is absent. */
  cleared?: unknown
  bad: [body: object, message: string | RegExp][]
  /** The parameters of each request of the row. */
  query?: string
}

/** A field that only the service writes. Its value in a request body is ignored. */
export type ServiceRow = { field: string; path: string; write: object; shows: unknown }

const named = <R extends { field: string }>(rows: readonly R[]) => rows.map((row) => [row.field, row] as const)

const EVENTS = '/calendars/primary/events'
const noon = hour('2026-03-02', 12)

/** Returns the value at a path of a reply's body. */
const found = ({ body }: Reply, path: string): unknown =>
  path.split(/[.[\]]+/).filter(Boolean).reduce((value, key) => value?.[key], body) // biome-ignore format: a path

const send = (query = '') => {
  const alice = openCalendar().as(ALICE)
  const suffix = query && `?${query}`
  return {
    insert: (body: object) => alice.post(EVENTS + suffix, { ...noon, ...body }),
    patch: (id: string, body: object) => alice.patch(`${EVENTS}/${id}${suffix}`, body),
    get: (id: string) => alice.get(`${EVENTS}/${id}`),
    list: () => alice.get(EVENTS),
  }
}

/** Declares the tests of a table of fields that clients write. `headings` are those of the book: `'9.4, 9.15'`. */
export function testFields(headings: string, rows: readonly FieldRow[]): void {
  test.each(named(rows))(`${headings} %s: written, read back, patched, cleared`, async (_, row) => {
    const { path, write, shows, patch, patched, clear, cleared, query } = row
    const calendar = send(query)
    const born = await calendar.insert(write)
    expect([born.status, found(born, path)]).toEqual([200, shows])
    const { id } = born.body
    expect(found(await calendar.get(id), path)).toEqual(shows)
    expect(found(await calendar.patch(id, patch), path)).toEqual(patched)
    expect(found(await calendar.get(id), path)).toEqual(patched)
    const bare = await calendar.patch(id, clear)
    expect([bare.status, found(bare, path)]).toEqual([200, cleared])
    expect((await calendar.get(id)).body).toEqual(bare.body)
  })

  const bad = rows.flatMap((row) =>
    row.bad.map(([body, message], at) => ({ ...row, field: `${row.field}: bad value ${at + 1}`, body, message })),
  )
  test.each(named(bad))(`${headings} %s is refused to an insert and to a patch`, async (_, row) => {
    const { write, body, message, query } = row
    const calendar = send(query)
    expectRefused(await calendar.insert({ ...write, ...body }), message)
    expect((await calendar.list()).body.items).toEqual([])
    const born = await calendar.insert(write)
    expectRefused(await calendar.patch(born.body.id, body), message)
    expect((await calendar.get(born.body.id)).body).toEqual(born.body)
  })
}

function expectRefused({ status, body }: Reply, message: string | RegExp): void {
  expect(status).toBe(400)
  if (typeof message === 'string') expect(body.error.message).toBe(message)
  else expect(body.error.message).toMatch(message)
}

/** Declares the tests of a table of fields that only the service writes. */
export function testServiceFields(headings: string, rows: readonly ServiceRow[]): void {
  test.each(named(rows))(
    `${headings} %s: the service’s own, whatever a body says`,
    async (_, { path, write, shows }) => {
      const calendar = send('conferenceDataVersion=1&supportsAttachments=true')
      const born = await calendar.insert(write)
      expect([born.status, found(born, path)]).toEqual([200, shows])
      expect((await calendar.patch(born.body.id, write)).body).toEqual(born.body)
    },
  )
}
