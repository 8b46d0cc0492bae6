import { expect, test } from 'vitest'
import { ALICE, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'

/** Lists two pages of one event each, of which a fault empties the first or the second. */
async function emptied({ skip = 0 } = {}) {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  for (const day of ['02', '03']) await alice.post(EVENTS, { summary: day, ...hour(`2026-03-${day}`, 12) })
  fake.faults.add({ on: 'events.list', skip, do: { emptyPage: true } })
  const first = await alice.get(`${EVENTS}?maxResults=1&singleEvents=true&orderBy=startTime`)
  const page = (token: string, others = '') => alice.get(`${EVENTS}?pageToken=${encodeURIComponent(token)}${others}`)
  const second = skip === 0 ? first : await page(first.body.nextPageToken, '&maxResults=1')
  expect(second.body.items).toEqual([])
  return { fake, page, token: second.body.nextPageToken as string }
}

test.each([{ skip: 0 }, { skip: 1 }])(
  '14.48.1 the token of an emptied page ($skip pages before it) refuses parameters that contradict the first page',
  async (options) => {
    const { page, token } = await emptied(options)
    expect(errorOf(await page(token, '&orderBy=updated'))).toMatchObject({ status: 400, location: 'orderBy' })
    expect(errorOf(await page(token, '&timeMin=2026-03-03T00:00:00Z'))).toMatchObject({ location: 'timeMin' })
    expect(errorOf(await page(token, '&singleEvents=false'))).toMatchObject({ location: 'singleEvents' })

    const pages = [await page(token), await page(token, '&singleEvents=true&orderBy=startTime&maxResults=1')]
    const summary = options.skip === 0 ? '02' : '03'
    for (const { body } of pages) expect(body.items).toMatchObject([{ summary }])
    expect((await page(token, '&maxResults=9')).body.items).toHaveLength(options.skip === 0 ? 2 : 1)
  },
)

test('14.48.1 the token of an emptied page is valid only in its world and epoch', async () => {
  const { fake, page, token } = await emptied()
  fake.reset()
  expect(errorOf(await page(token))).toMatchObject({ status: 400, location: 'pageToken' })
})
