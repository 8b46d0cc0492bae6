import { expect, test } from 'vitest'
import { get, useCalendar } from './calendar.ts'
import { expectOk } from './expect.ts'

const CALENDAR_COLOURS =
  'ac725e d06b64 f83a22 fa573c ff7537 ffad46 42d692 16a765 7bd148 b3dc6c fbe983 fad165 92e1c0 9fe1e7 9fc6e7 4986e7 9a9cff b99aff c2c2c2 cabdbf cca6ac f691b2 cd74e6 a47ae2'
const EVENT_COLOURS = 'a4bdfc 7ae7bf dbadff ff887c fbd75b ffb878 46d6db e1e1e1 5484ed 51b749 dc2127'
/** Returns a palette from its backgrounds. */
const toPalette = (colours: string) =>
  Object.fromEntries(
    colours.split(' ').map((colour, at) => [at + 1, { background: `#${colour}`, foreground: '#1d1d1d' }]),
  )

useCalendar()

test('11.4.1 the header Expires of colours is their date', async () => {
  const { headers } = await get('/colors')
  expect(headers.get('Expires')).toBe(headers.get('Date'))
})

test('3.8 the palettes have 24 and 11 colours', async () => {
  const answer = await get('/colors')
  const { calendar, event } = await expectOk(answer, {
    kind: 'calendar#colors',
    updated: '2012-02-14T00:00:00.000Z',
    calendar: { 1: { background: '#ac725e', foreground: '#1d1d1d' }, 24: { background: '#a47ae2' } },
    event: { 1: { background: '#a4bdfc', foreground: '#1d1d1d' }, 11: { background: '#dc2127' } },
  })
  const sizes = [calendar, event].map((palette) => Object.keys(palette).length).join()
  expect(sizes).toBe('24,11')
})

test('3.8 the palettes have these colours', async () => {
  const answer = await get('/colors')
  await expectOk(answer, { calendar: toPalette(CALENDAR_COLOURS), event: toPalette(EVENT_COLOURS) })
})
