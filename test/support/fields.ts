import { expect, test } from 'vitest'
import { ALICE, explainedMessageOf, hour, openCalendar, type Reply } from './calendar.ts'

/** The message of a value of another type, and of one that is not listed (behaviour 2.2.1). */
export const WRONG_KIND = 'Invalid value'

/** The tests of a field: it is written, read, patched and cleared, and invalid values are rejected. */
export type FieldRow = {
  /** `Event.summary`, `EventAttendee.comment`: the title of its test. */
  field: string
  /** The path of the field in an event: `attendees[0].comment`. */
  path: string
  /** A body beside the times of an event, and the fields of its reply. */
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

const withTitles = <R extends { field: string }>(rows: readonly R[]) => rows.map((row) => [row.field, row] as const)

const EVENTS = '/calendars/primary/events'
const noon = hour('2026-03-02', 12)

/** Returns the value at a path of a reply's body, such as `attendees[0].comment`; undefined if it is absent. */
export const valueAt = ({ body }: Reply, path: string): unknown =>
  path.split(/[.[\]]+/).filter(Boolean).reduce((value, key) => value?.[key], body) // biome-ignore format: a path

/** Returns functions that send requests of alice to a new fake, with the parameters `query` in each write. */
const openEvents = (query = '') => {
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
  test.each(withTitles(rows))(`${headings} %s: written, read back, patched, cleared`, async (_, row) => {
    const { path, write, shows, patch, patched, clear, cleared, query } = row
    const calendar = openEvents(query)
    const inserted = await calendar.insert(write)
    expect([inserted.status, valueAt(inserted, path)]).toEqual([200, shows])
    const { id } = inserted.body
    expect(valueAt(await calendar.get(id), path)).toEqual(shows)
    expect(valueAt(await calendar.patch(id, patch), path)).toEqual(patched)
    expect(valueAt(await calendar.get(id), path)).toEqual(patched)
    const after = await calendar.patch(id, clear)
    expect([after.status, valueAt(after, path)]).toEqual([200, cleared])
    expect((await calendar.get(id)).body).toEqual(after.body)
  })

  const bad = rows.flatMap((row) =>
    row.bad.map(([body, message], at) => ({ ...row, field: `${row.field}: bad value ${at + 1}`, body, message })),
  )
  test.each(withTitles(bad))(`${headings} %s is refused by an insert and by a patch`, async (_, row) => {
    const { write, body, message, query } = row
    const calendar = openEvents(query)
    expectRefused(await calendar.insert({ ...write, ...body }), message)
    expect((await calendar.list()).body.items).toEqual([])
    const inserted = await calendar.insert(write)
    expectRefused(await calendar.patch(inserted.body.id, body), message)
    expect((await calendar.get(inserted.body.id)).body).toEqual(inserted.body)
  })
}

function expectRefused(reply: Reply, message: string | RegExp): void {
  expect(reply.status).toBe(400)
  if (typeof message === 'string') expect(explainedMessageOf(reply)).toBe(message)
  else expect(explainedMessageOf(reply)).toMatch(message)
}

/** Declares the tests of a table of fields that only the service writes. */
export function testServiceFields(headings: string, rows: readonly ServiceRow[]): void {
  test.each(withTitles(rows))(`${headings} %s: set by the service only`, async (_, { path, write, shows }) => {
    const calendar = openEvents('conferenceDataVersion=1&supportsAttachments=true')
    const inserted = await calendar.insert(write)
    expect([inserted.status, valueAt(inserted, path)]).toEqual([200, shows])
    expect((await calendar.patch(inserted.body.id, write)).body).toEqual(inserted.body)
  })
}
