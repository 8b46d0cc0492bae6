import { expect, expectTypeOf, test } from 'vitest'
import { apiError, type ErrorItem, type PlaceholderOf, throwApiError } from '../../src/schema/apiErrors.ts'

test('the placeholders of an error are those of its message, location and links', () => {
  expectTypeOf<PlaceholderOf<'missingTime'>>().toEqualTypeOf<'which'>()
  expectTypeOf<PlaceholderOf<'eventTypeRestriction'>>().toEqualTypeOf<'type'>()
  expectTypeOf<PlaceholderOf<'outOfRange'>>().toEqualTypeOf<'value' | 'least' | 'most' | 'location'>()
  expectTypeOf<PlaceholderOf<'notFound'>>().toEqualTypeOf<never>()
})

test('an error without one of its placeholders does not compile', () => {
  const wrong = [
    // @ts-expect-error the message contains {which}
    () => apiError('missingTime'),
    // @ts-expect-error the message contains {which}
    () => apiError('missingTime', { type: 'start' }),
    // @ts-expect-error the location contains {location}
    () => throwApiError('invalidBoolean', { value: 'yes' }),
    // @ts-expect-error one of both errors has {type}
    (name: 'notFound' | 'eventTypeRestriction') => apiError(name),
    // @ts-expect-error the link contains {type}
    (): ErrorItem => ({ name: 'eventTypeRestriction', details: {} }),
  ]
  const right = [apiError('notFound'), apiError('missingTime', { which: 'end' })]

  expect(wrong).toHaveLength(5)
  expect(right.map(({ message }) => message)).toEqual(['Not Found', 'Missing end time.'])
})
