import { expect, test } from 'vitest'
import { ALICE, errorOf, NOW, openCalendar } from '../../support/calendar.ts'

const CALENDAR = `#ac725e #d06b64 #f83a22 #fa573c #ff7537 #ffad46 #42d692 #16a765 #7bd148 #b3dc6c #fbe983 #fad165
  #92e1c0 #9fe1e7 #9fc6e7 #4986e7 #9a9cff #b99aff #c2c2c2 #cabdbf #cca6ac #f691b2 #cd74e6 #a47ae2`.split(/\s+/)
const EVENT = '#a4bdfc #7ae7bf #dbadff #ff887c #fbd75b #ffb878 #46d6db #e1e1e1 #5484ed #51b749 #dc2127'.split(' ')
const palette = (backgrounds: string[]) =>
  Object.fromEntries(backgrounds.map((background, at) => [at + 1, { background, foreground: '#1d1d1d' }]))

test('3.8 24 every account gets 24 calendar colours and 11 event colours', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).get('/colors')

  expect(reply.status).toBe(200)
  expect(Object.keys(reply.body)).toEqual(['kind', 'updated', 'calendar', 'event'])
  expect(reply.body).toEqual({
    kind: 'calendar#colors',
    updated: '2012-02-14T00:00:00.000Z',
    calendar: palette(CALENDAR),
    event: palette(EVENT),
  })
})

test('11.4, 11.4.1, 11.5 colors can be cached for an hour and have no etag', async () => {
  const { as } = openCalendar()

  const { headers } = await as(ALICE).get('/colors')

  expect(headers.get('Cache-Control')).toBe('private, max-age=3600, must-revalidate, no-transform')
  expect(headers.get('Expires')).toBe(new Date(NOW).toUTCString())
  expect(headers.get('Date')).toBe(headers.get('Expires'))
  expect(headers.get('ETag')).toBeNull()
})

test('an API key suffices, and a request without credentials is refused', async () => {
  const { anonymous } = openCalendar()

  expect((await anonymous.get('/colors?key=x')).status).toBe(200)
  expect(errorOf(await anonymous.get('/colors')).reason).toBe('required')
})
