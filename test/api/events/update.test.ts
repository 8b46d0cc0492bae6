import { expect, test } from 'vitest'
import { ALICE, allDay, at, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = `${EVENTS}/lunch001`
const lunch = { id: 'lunch001', summary: 'Lunch', location: 'Canteen', colorId: '3', ...hour('2026-03-02', 12) }
const THREE = hour('2026-03-02', 15)

/** Alice with her lunch, a minute after she put it in. */
async function withLunch() {
  const { as, fake } = openCalendar()
  const { body: born } = await as(ALICE).post(EVENTS, lunch)
  fake.clock.advance('1m')
  return { alice: as(ALICE), born, fake }
}

test('3.2.13, 3.9.1, 14.8 a PUT without reminders or status sets the defaults', async () => {
  const { alice } = await withLunch()
  await alice.patch(LUNCH, { status: 'tentative', reminders: { useDefault: false } })
  const { body } = await alice.put(LUNCH, lunch)
  expect(body).toMatchObject({ status: 'confirmed', reminders: { useDefault: true } })
})

const SEQUENCES: [title: string, body: object, sequence: number][] = [
  ['a new start', { ...lunch, ...THREE }, 1],
  ['a new end', { ...lunch, end: at('2026-03-02T14:00:00') }, 1],
  ['the same instant in another zone', { ...lunch, start: at('2026-03-02T18:00:00', 'Europe/Berlin') }, 0],
  ['a new summary', { ...lunch, summary: 'Brunch' }, 0],
  ['a new location', { ...lunch, location: 'Roof' }, 0],
  ['new attendees', { ...lunch, attendees: [{ email: 'dave@example.com' }] }, 0],
  ['a higher sequence in the body', { ...lunch, sequence: 5 }, 5],
] // biome-ignore format: a table

test.each(SEQUENCES)('3.2.7 %s makes the sequence of a PUT %#: %o', async (_, body, sequence) => {
  const { alice } = await withLunch()
  expect((await alice.put(LUNCH, body)).body.sequence).toBe(sequence)
})

test('a PUT turns a timed event into an all-day one and back', async () => {
  const { alice } = await withLunch()
  const { body: day } = await alice.put(LUNCH, { summary: 'Fast', ...allDay('2026-03-02', '2026-03-03') })
  const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }] }
  expect(day).toMatchObject({ start: { date: '2026-03-02' }, reminders })
  expect((await alice.put(LUNCH, lunch)).body.start.dateTime).toBe('2026-03-02T12:00:00-05:00')
})

test('2.2.6, 2.3 a PUT restores a deleted event with a status, and is forbidden without one', async () => {
  const { alice } = await withLunch()
  await alice.delete(LUNCH)
  expect(errorOf(await alice.put(LUNCH, lunch))).toEqual({
    status: 403,
    domain: 'global',
    reason: 'forbidden',
    message: 'Forbidden',
  })
  expect((await alice.put(LUNCH, { ...lunch, status: 'confirmed' })).body.status).toBe('confirmed')
  expect((await alice.get(EVENTS)).body.items).toHaveLength(1)
})

test('3.9.3 an id in the body is ignored, and an unknown one in the path is 404', async () => {
  const { alice } = await withLunch()
  expect((await alice.put(LUNCH, { ...lunch, id: 'dinner01' })).body.id).toBe('lunch001')
  expect((await alice.put(`${EVENTS}/dinner01`, lunch)).status).toBe(404)
})
