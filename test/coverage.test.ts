import { expect, test } from 'vitest'
import { api } from '../src/api/index.ts'
import { ALICE, openCalendar } from './support/calendar.ts'

/** Calls a method with what it needs to pass the checks before its own. */
async function call(id: string) {
  const { as } = openCalendar()
  const endpoint = api.find((one) => one.id === id)
  if (!endpoint) throw new Error(`no method ${id}`)
  const path = endpoint.path.replace('{calendarId}', 'primary').replace(/\{\w+\}/g, 'nothing')
  const query = new URLSearchParams({ destination: ALICE, text: 'Lunch', newDataOwner: ALICE, useAdminAccess: 'false' })
  const verb = endpoint.verb.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  return as(ALICE)[verb](`${path}?${query}`, endpoint.request ? {} : undefined)
}

test.each(api.map(({ id }) => id))('%s is built: it answers, or refuses, in the service’s own way', async (id) => {
  const { status, body } = await call(id)
  expect(status < 500).toBe(true)
  expect(status === 204 || body !== undefined).toBe(true)
})
