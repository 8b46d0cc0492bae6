import { expect, test } from 'vitest'
import { Taken } from './bookings.ts'
import { DANA, hourFrom, openService, wish } from './opened.ts'
import { MINUTE, midnight, written } from './time.ts'

test('the night of the autumn clock change has twenty-five hours, two of them at two, and both can be booked', async () => {
  const { fake, service, before } = await openService('2026-10-24T22:30:00Z')
  expect(await service.bookings.openings(DANA, '2026-10-25')).toHaveLength(25)
  await service.bookings.book(wish('Two in summer', '2026-10-25T00:00:00Z'))
  await service.bookings.book(wish('Two in winter', '2026-10-25T01:00:00Z'))

  expect(await service.bookings.openings(DANA, '2026-10-25')).toHaveLength(23)
  fake.diff(before).verify([
    { change: 'added', where: { summary: 'Two in summer', start: { dateTime: '2026-10-25T02:00:00+02:00' } } },
    { change: 'added', where: { summary: 'Two in winter', start: { dateTime: '2026-10-25T02:00:00+01:00' } } },
  ])
})

test('the night of the spring clock change has twenty-three hours', async () => {
  const { service } = await openService('2026-03-28T23:30:00Z')

  expect((await service.bookings.openings(DANA, '2026-03-29')).slice(0, 3).map(written)).toEqual([
    ...['2026-03-28T23:00:00Z', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'],
  ])
  expect(await service.bookings.openings(DANA, '2026-03-29')).toHaveLength(23)
})

test.each([
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
  ['Pacific/Auckland', '2026-04-05', '2026-04-04T11:00:00Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z'],
])('in %s %s begins at %s', (zone, day, instant) => {
  expect(written(midnight(day, zone))).toBe(instant)
})

test('a split of a series over a clock change keeps its local time, and the first half ends before', async () => {
  const { fake, service, advance } = await openService('2026-10-24T23:50:00Z')
  const series = await service.series.book(wish('Therapy', '2026-10-19T07:00:00Z'), 4)
  const before = fake.snapshot()
  await advance(75 * MINUTE)
  const next = await service.series.changeFollowing(
    series.id,
    Date.parse('2026-10-26T08:00:00Z'),
    hourFrom('2026-10-26T10:00:00Z'),
  )

  fake.diff(before).verify([
    {
      ...{ change: 'changed', kind: 'event', id: series.id },
      fields: { recurrence: [['RRULE:FREQ=WEEKLY;COUNT=4'], ['RRULE:FREQ=WEEKLY;UNTIL=20261026T075959Z']] },
    },
    {
      ...{ change: 'added', kind: 'event', id: next.id },
      where: { start: { dateTime: '2026-10-26T11:00:00+01:00' }, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] },
    },
  ])
  expect(await service.bookings.openings(DANA, '2026-11-02')).not.toContain(Date.parse('2026-11-02T10:00:00Z'))
  expect(await service.bookings.openings(DANA, '2026-11-02')).toContain(Date.parse('2026-11-02T08:00:00Z'))
})

test('a series is split once, although both responses are lost', async () => {
  const { fake, service } = await openService()
  const { id } = await service.series.book(wish('Therapy', '2026-03-09T09:00:00Z'), 4)
  const before = fake.snapshot()
  fake.faults.add({ on: ['events.patch', 'events.insert'], times: 2, do: { answerLost: true } })
  const next = await service.series.changeFollowing(
    id,
    Date.parse('2026-03-23T09:00:00Z'),
    hourFrom('2026-03-24T09:00:00Z'),
  )

  fake.faults.verify()
  fake.diff(before).verify([
    { change: 'changed', id },
    { change: 'added', id: next.id, where: { start: { dateTime: '2026-03-24T09:00:00Z' } } },
  ])
})

test('a moved appointment stays with the instances that follow it', async () => {
  const { fake, service } = await openService()
  const { id } = await service.series.book(wish('Therapy', '2026-03-09T09:00:00Z'), 4)
  await service.series.changeOne(id, Date.parse('2026-03-23T09:00:00Z'), hourFrom('2026-03-25T15:00:00Z'))
  const before = fake.snapshot()
  const next = await service.series.changeFollowing(
    id,
    Date.parse('2026-03-16T09:00:00Z'),
    hourFrom('2026-03-17T09:00:00Z'),
  )

  fake.diff(before).verify([
    { change: 'changed', id },
    { change: 'deleted', id: `${id}_20260323T090000Z` },
    { change: 'added', id: next.id },
  ])
})

test('single appointments are moved and cancelled, although both responses are lost', async () => {
  const { fake, service, settled } = await openService()
  const { id, exceptions } = await service.series.book(wish('Therapy', '2026-03-09T09:00:00Z'), 4)
  const before = fake.snapshot()
  fake.faults.add({ on: ['events.patch', 'events.delete'], times: 2, do: { answerLost: true } })
  const [second, third] = ['2026-03-16T09:00:00Z', '2026-03-23T09:00:00Z'].map((text) => Date.parse(text))
  await service.series.changeOne(id, second ?? 0, hourFrom('2026-03-17T15:00:00Z'))
  await service.series.changeOne(id, third ?? 0, 'cancel')
  await settled()

  fake.faults.verify()
  fake.diff(before).verify([
    { change: 'changed', id: `${id}_20260316T090000Z`, fields: { 'start.dateTime': '2026-03-17T15:00:00Z' } },
    { change: 'deleted', id: `${id}_20260323T090000Z` },
  ])
  expect([...exceptions]).toEqual([
    [second, hourFrom('2026-03-17T15:00:00Z')],
    [third, 'cancelled'],
  ])
})

test('a series with any conflict is not booked', async () => {
  const { fake, service, dana } = await openService()
  await dana.enter('Dentist', hourFrom('2026-03-30T08:30:00Z'))
  const before = fake.snapshot()
  await expect(service.series.book(wish('Therapy', '2026-03-09T09:00:00Z'), 4)).rejects.toThrow(Taken)

  fake.diff(before).verify([])
})
