import { expect, test } from 'vitest'
import { ALICE, BOB, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const daily = (more: object) => ({ ...hour('2026-03-02', 9, 'UTC'), recurrence: ['RRULE:FREQ=DAILY;COUNT=9'], ...more })
const invite = { attendees: [{ email: BOB }] }

/** Bob deletes his copies of a series with a cancelled instance and of an event. Alice cancels a series of her own. */
async function open() {
  const { fake, as } = openCalendar()
  const [alice, bob] = [as(ALICE), as(BOB)]
  await alice.post(EVENTS, daily({ id: 'series1', ...invite }))
  await alice.post(EVENTS, { id: 'single1', ...hour('2026-03-02', 9, 'UTC'), ...invite })
  await alice.post(EVENTS, daily({ id: 'ourseries', summary: 'Own' }))
  await alice.delete(`${EVENTS}/ourseries`)
  await bob.delete(`${EVENTS}/series1_20260303T090000Z`)
  await bob.delete(`${EVENTS}/series1`)
  await bob.delete(`${EVENTS}/single1`)
  const list = async (who: typeof bob, query = '') =>
    (await who.get(`${EVENTS}?${query}`)).body.items.map(({ id, status }: Record<string, string>) => `${id} ${status}`)
  return { fake, alice, bob, list }
}

test('4.3.1 deletedCopies lists the cancelled series whose copy a guest deleted, and their exceptions', async () => {
  const { fake, alice, bob, list } = await open()
  expect(await list(bob)).toEqual([])

  fake.faults.add({ on: 'events.list', times: 'always', do: { deletedCopies: true } })
  expect((await list(bob)).toSorted()).toEqual(['series1 cancelled', 'series1_20260303T090000Z cancelled'])
  expect(await list(alice)).toEqual(['series1 confirmed', 'series1_20260303T090000Z confirmed', 'single1 confirmed'])
  expect(await list(bob, 'singleEvents=true')).toEqual([])
  expect(await list(bob, 'timeMin=2026-04-01T00:00:00Z')).toEqual([])
  expect(await list(bob, 'showDeleted=true')).toHaveLength(3)
})

test('4.3.1 deletedCopies keeps to the filters of the list, repeated ones too', async () => {
  const { fake, bob, list } = await open()
  fake.faults.add({ on: 'events.list', times: 'always', do: { deletedCopies: true } })

  expect(await list(bob, 'privateExtendedProperty=a=1&privateExtendedProperty=b=2')).toEqual([])
  expect(await list(bob, 'eventTypes=focusTime&eventTypes=outOfOffice')).toEqual([])
  expect(await list(bob, 'eventTypes=default')).toHaveLength(2)
  expect(await list(bob, 'q=nothing')).toEqual([])
  expect(await list(bob, 'showDeleted=false&singleEvents=false&maxResults=10')).toHaveLength(2)
})

test('4.3.1 deletedCopies adds to the last page alone', async () => {
  const { fake, bob } = await open()
  await bob.post(EVENTS, { id: 'other1', ...hour('2026-03-04', 9) })
  await bob.post(EVENTS, { id: 'other2', ...hour('2026-03-05', 9) })
  fake.faults.add({ on: 'events.list', times: 'always', do: { deletedCopies: true } })
  const first = (await bob.get(`${EVENTS}?maxResults=1`)).body
  const second = (await bob.get(`${EVENTS}?maxResults=1&pageToken=${first.nextPageToken}`)).body

  expect(first.items.map(({ id }: { id: string }) => id)).toEqual(['other1'])
  expect(second.items.map(({ id }: { id: string }) => id)).toContain('series1')
  expect(second.nextPageToken).toBeUndefined()
})

test.each([{ deletedCopies: true }, { trimmedSeries: true }] as const)(
  '4.3.1 %j adds nothing to a delta, and nothing twice to pages with deleted events',
  async (effect) => {
    const { fake, bob, list } = await open()
    const { nextSyncToken } = (await bob.get(EVENTS)).body
    fake.faults.add({ on: 'events.list', times: 'always', do: effect })
    const query = 'showDeleted=true&maxResults=2&timeMin=2026-03-01T00:00:00Z'
    const { nextPageToken } = (await bob.get(`${EVENTS}?${query}`)).body

    expect(await list(bob, `syncToken=${nextSyncToken}`)).toEqual([])
    expect(await list(bob, `${query}&pageToken=${nextPageToken}`)).toHaveLength(1)
  },
)

test('4.3.1 trimmedSeries lists a series once that was trimmed and still reaches timeMin', async () => {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  await alice.post(EVENTS, daily({ id: 'trimmed2', recurrence: ['RRULE:FREQ=DAILY'] }))
  await alice.patch(`${EVENTS}/trimmed2`, { recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260504T000000Z'] })
  fake.faults.add({ on: 'events.list', do: { trimmedSeries: true } })

  expect((await alice.get(`${EVENTS}?timeMin=2026-04-01T00:00:00Z`)).body.items).toHaveLength(1)
})

test('4.3.1 trimmedSeries lists a series that was trimmed before timeMin, and no other that ended', async () => {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  await alice.post(EVENTS, daily({ id: 'ended1', recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }))
  await alice.post(EVENTS, daily({ id: 'trimmed1', recurrence: ['RRULE:FREQ=DAILY'] }))
  await alice.patch(`${EVENTS}/trimmed1`, { recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260304T000000Z'] })
  const list = async (query: string) =>
    (await alice.get(`${EVENTS}?${query}`)).body.items.map(({ id }: { id: string }) => id)
  const late = 'timeMin=2026-04-01T00:00:00Z'
  expect(await list(late)).toEqual([])

  fake.faults.add({ on: 'events.list', times: 'always', do: { trimmedSeries: true } })
  expect(await list(late)).toEqual(['trimmed1'])
  expect(await list('')).toEqual(['ended1', 'trimmed1'])
  expect(await list(`${late}&singleEvents=true`)).toEqual([])
})
