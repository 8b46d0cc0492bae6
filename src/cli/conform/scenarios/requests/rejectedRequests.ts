import { expectError } from '../../expect.ts'
import type { Kit } from '../../kit.ts'
import { type ErrorRow, scenario } from '../../scenario.ts'

/** Creates the row of a list of events that is rejected (400 by default) for these query parameters. */
export const rejectQuery = (
  name: string,
  headings: string,
  parameters: Record<string, string>,
  expected: object,
): ErrorRow => [name, headings, 'GET', '', () => ({ query: parameters }), { status: 400, ...expected }]
/** Creates the row of an event that is rejected (400 by default) for these fields in its body. */
export const rejectInsert = (
  name: string,
  headings: string,
  body: (kit: Kit) => object,
  expected: object = {},
): ErrorRow => [
  name,
  headings,
  'POST',
  '',
  (kit) => ({ body: { ...kit.hour(9), ...body(kit) } }),
  { status: 400, ...expected },
]
/**
 * Creates a scenario of an event of a type on the primary calendar that is rejected (400 by default) for these fields. `statement`
 * ends its title, such as `cannot be transparent`.
 */
export const rejectType = (eventType: string, statement: string, body: object, expected: object = {}) =>
  scenario(
    `an event of the type ${eventType} ${statement}`,
    { outOfOffice: '8.5', focusTime: '8.4', workingLocation: '8.6', birthday: '8.7', fromGmail: '8.9' }[eventType] ??
      '8.1',
    async (kit) => {
      const answer = await kit.post('/calendars/primary/events', { ...kit.hour(9), eventType, ...body })
      if (answer.status === 200) kit.onCleanUp(() => kit.delete(`/calendars/primary/events/${answer.body.id}`))
      expectError(answer, { status: 400, ...expected })
    },
    'primary',
  )
