import { expect, test } from 'vitest'
import { get, useCalendar } from './calendar.ts'
import { expectOk } from './expect.ts'

useCalendar()

test('11.21, 1.3, 1.4 the discovery document describes the methods', async () => {
  const answer = await get('//discovery/v1/apis/calendar/v3/rest')
  await expectOk(answer, {
    name: 'calendar',
    version: 'v3',
    servicePath: 'calendar/v3/',
    batchPath: 'batch/calendar/v3',
  })
  const { resources } = answer.body
  const expected = {
    acl: 7,
    calendarList: 7,
    calendars: 6,
    channels: 1,
    colors: 1,
    events: 11,
    freebusy: 1,
    settings: 3,
  }
  for (const [name, count] of Object.entries(expected)) {
    const methods = Object.keys(resources[name]?.methods ?? {}).length
    expect(methods).toBeGreaterThanOrEqual(count)
  }
})

test('11.21 the second URL of discovery returns the document too', async () => {
  const answer = await get('//$discovery/rest', { version: 'v3' }, { as: 'nobody' })
  await expectOk(answer, {
    name: 'calendar',
    resources: { events: { methods: { instances: { id: 'calendar.events.instances' } } } },
  })
})
