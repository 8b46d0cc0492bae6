import { expect, test } from 'vitest'
import { global as around, Headers as H, Request as Q, Response as R } from '../../src/http/platform.ts'

/** A class over one that stands for the platform's, as Hono's adapter has them. */
class Light extends R {
  readonly mark = 'light'
}

test('an instance of a class that replaces a platform class is an instance of the platform class', async () => {
  expect(new H({ a: '1' })).toBeInstanceOf(Headers)
  expect(new Q('http://localhost/')).toBeInstanceOf(Request)
  expect(await new R('text', { status: 201 }).text()).toBe('text')
  const light = new Light('text')
  expect([light.mark, light instanceof Light, light instanceof Response]).toEqual(['light', true, true])
  expect(await light.text()).toBe('text')
})

test.each([
  ['one of the platform', () => new Response('text'), true, false],
  ['one of a class derived from it', () => new Light('text'), true, true],
  ['another', () => new Headers(), false, false],
  ['a record', () => ({ status: 200 }), false, false],
  ['a record without a prototype', () => Object.create(null), false, false],
  ['nothing', () => null, false, false],
])('%s is told apart as by the platform’s own class', (_, make: () => unknown, isOne, isLight) => {
  expect([make() instanceof R, make() instanceof Light]).toEqual([isOne, isLight])
})

test('a global definition inside is not global', () => {
  const { Response: own } = globalThis

  Object.defineProperty(around, 'Response', { value: Light, configurable: true })
  expect((around as typeof globalThis).Response).toBe(Light)
  expect(globalThis.Response).toBe(own)
  Object.defineProperty(around, 'Response', { value: R, configurable: true })
})
