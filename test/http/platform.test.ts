import { expect, test } from 'vitest'
import { global as around, Headers as H, Request as Q, Response as R } from '../../src/http/platform.ts'

/** A class derived from a replaced platform class, as in Hono's adapter. */
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
  ['a response of the platform', () => new Response('text'), true, false],
  ['a response of a derived class', () => new Light('text'), true, true],
  ['another', () => new Headers(), false, false],
  ['a plain object', () => ({ status: 200 }), false, false],
  ['an object without a prototype', () => Object.create(null), false, false],
  ['nothing', () => null, false, false],
])('instanceof of the replaced class works for %s', (_, make: () => unknown, isOne, isLight) => {
  expect([make() instanceof R, make() instanceof Light]).toEqual([isOne, isLight])
})

test('a global defined for the server is not global in the process', () => {
  const { Response: own } = globalThis

  Object.defineProperty(around, 'Response', { value: Light, configurable: true })
  expect((around as typeof globalThis).Response).toBe(Light)
  expect(globalThis.Response).toBe(own)
  Object.defineProperty(around, 'Response', { value: R, configurable: true })
})
