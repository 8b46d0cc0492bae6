import { expect, test } from 'vitest'
import { ALICE, allDay, openCalendar } from '../../support/calendar.ts'

const PRIMARY = '/calendars/primary/events'

test.each([PRIMARY, `${PRIMARY}?singleEvents=true&orderBy=startTime`, '/users/me/calendarList', '/users/me/settings'])(
  'the next page of a stale list can be read in the present: %s',
  async (path) => {
    const { fake, as } = openCalendar()
    for (const id of ['lunch', 'dinner']) await as(ALICE).post(PRIMARY, { id, ...allDay('2026-03-02', '2026-03-03') })
    await as(ALICE).post('/calendars', { summary: 'Plans' })
    await fake.advance('1h')
    fake.faults.add({ on: ['events.list', 'calendarList.list', 'settings.list'], do: { stale: '5s' } })
    const page = `${path}${path.includes('?') ? '&' : '?'}maxResults=1`
    const { body: first } = await as(ALICE).get(page)
    const second = await as(ALICE).get(`${page}&pageToken=${encodeURIComponent(first.nextPageToken)}`)

    expect(second.status).toBe(200)
    expect(second.body.items).toHaveLength(1)
    expect(second.body.items).not.toEqual(first.items)
  },
)

test('while the clock runs, a stale list reaches back to the addition of its fault', async () => {
  const { fake, as } = openCalendar()
  const ids = async () => (await as(ALICE).get(PRIMARY)).body.items.map(({ id }: { id: string }) => id)
  fake.clock.run()
  await as(ALICE).post(PRIMARY, { id: 'first', ...allDay('2026-03-02', '2026-03-03') })
  fake.faults.add({ on: 'events.list', times: 2, do: { stale: '1h' } })
  expect(await ids()).toEqual(['first'])
  await as(ALICE).post(PRIMARY, { id: 'later', ...allDay('2026-03-02', '2026-03-03') })

  expect(await ids()).toEqual(['first'])
  expect(await ids()).toEqual(['first', 'later'])
})
