import { expect, test } from 'vitest'
import { addressOf } from '../../../src/schema/values/address.ts'

test.each([
  ['Alice@Example.COM', 'alice@example.com'],
  ['Alice@GoogleMail.com', 'alice@gmail.com'],
  ['alice@googlemail.com.example', 'alice@googlemail.com.example'],
  ['googlemail.com', 'googlemail.com'],
])('1.6, 3.6 the address %s is normalised to %s', (address, normalised) => {
  expect(addressOf(address)).toBe(normalised)
})
