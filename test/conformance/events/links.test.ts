import { expect, test } from 'vitest'
import { compact, createEvent, createSeries, get, instant, useCalendar } from '../calendar.ts'
import { expectOk } from '../expect.ts'

useCalendar()

test('3.2.5 the link of a series contains its first instance', async () => {
  const { id, htmlLink } = await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const eid = atob(new URL(htmlLink).searchParams.get('eid') ?? '')
  expect(eid.split(' ')[0]).toBe(`${id}_${compact(instant(9))}`)
})

test('3.2.5 links begin with https://www.google.com/calendar/event', async () => {
  const { htmlLink } = await createEvent({ summary: 'Linked' })
  expect(htmlLink).toMatch(/^https:\/\/www\.google\.com\/calendar\/event\?eid=/)
})

test('3.2.5 the link of an instance contains its id', async () => {
  const { at } = await createSeries()
  const { htmlLink } = await expectOk(get(`events/${at(1)}`))
  const eid = atob(new URL(htmlLink).searchParams.get('eid') ?? '')
  expect(eid.split(' ')[0]).toBe(at(1))
})
