import { expect, test } from 'vitest'
import { z } from 'zod'
import { OPERATIONS, RAW_ROUTES } from '../../src/control/operations/index.ts'
import { openCalendar } from '../support/calendar.ts'

/** Ids of no form that a control has: nonsense in percent-encoding, names of Object.prototype, numbers out of range. */
const IDS = ['x', '%', '%ff', '%00', '%2F', '__proto__', '-1', '1.5', '1e400', 'a'.repeat(5000)]

/** Every verb and path of the table that contains a parameter, and every route followed by a segment that it does not have. */
const ROUTES = [...OPERATIONS, ...RAW_ROUTES].flatMap(({ verb, path }) => {
  const target = path.replace(/\{\w+\}/g, '{id}')
  return [target, `${target}/{id}`].filter((one) => one.includes('{id}')).map((one) => [verb, one] as const)
})

test.each(ROUTES)('%s %s with an id of no known form is a 4xx, or acts', async (method, path) => {
  const { fake } = openCalendar()
  for (const id of IDS) {
    const target = path.replaceAll('{id}', id)
    const body = method === 'GET' ? {} : { headers: { 'Content-Type': 'application/json' }, body: '{}' }

    const { status } = await fake.request(target, { method, ...body })

    expect(status, `${method} ${target}`).toBeLessThan(500)
  }
})

const READS = OPERATIONS.flatMap(({ verb, path, ...row }) => {
  const input = 'input' in row ? row.input : undefined
  return verb === 'GET' && input instanceof z.ZodObject
    ? Object.keys(input.shape).map((field) => [path, field] as const)
    : []
})

test.each(READS)('GET %s with a %s of no known form is never a 500', async (path, field) => {
  const { fake } = openCalendar()
  for (const id of ['', ...IDS, '{}', '[]']) {
    const { status } = await fake.request(`${path}?${new URLSearchParams({ [field]: id, wait: '0' })}`)

    expect(status, `${field}=${id}`).toBeLessThan(500)
  }
})
