import { test } from 'vitest'
import { createEvent, hour, post, unusedId, useCalendar } from '../calendar.ts'
import { expectError, expectOk } from '../expect.ts'

const INVALID_ID = { reason: 'invalid', message: 'Invalid resource id value.' }

useCalendar()

test('2.2.4 an id that is in use is rejected', async () => {
  const { id } = await createEvent({ id: unusedId() })
  await expectError(post('events', { ...hour(9), id }), 409, {
    domain: 'global',
    reason: 'duplicate',
    message: 'The requested identifier already exists.',
  })
})

test('2.2.4, 14.2, 3.2.4 an id with an iCalUID that does not follow from it is rejected', () =>
  expectError(
    post('events', { ...hour(9), id: unusedId('b'), iCalUID: `${unusedId('b')}@example.com` }),
    400,
    INVALID_ID,
  ))

test('3.2.4, 11.18 an id in an insert is kept', async () => {
  const id = unusedId()
  await expectOk(post('events', { ...hour(9), id }), { id, iCalUID: `${id}@google.com` })
})

test.each<[title: string, body: object, error: object]>([
  ['2.2.4, 3.2.4, 12.2 an id of capital letters is rejected', { id: 'CAPITALS' }, INVALID_ID],
  ['2.2.4, 3.2.4, 12.2 an id of less than 5 characters is rejected', { id: 'abc' }, INVALID_ID],
  ['2.2.4, 3.2.4 an id that begins with an underscore is rejected', { id: '_abcdef' }, INVALID_ID],
  [
    '2.2.4, 3.2.4 an id of capital letters and digits is rejected',
    { id: 'ABC12345' },
    { message: 'Invalid resource id value.' },
  ],
  [
    '2.2.4, 12.2 an id above 1024 characters is rejected',
    { id: 'a'.repeat(1025), summary: 'Long' },
    { message: 'Invalid resource id value.' },
  ],
  ['2.2.4, 3.2.4 an id with a hyphen is rejected', { id: 'abc-def' }, { message: 'Invalid resource id value.' }],
])('%s', (_, body, error) => expectError(post('events', { ...hour(9), ...body }), 400, error))
