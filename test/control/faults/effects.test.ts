import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../../../src/control/operations/index.ts'
import { EFFECTS } from '../../../src/ui/panels/faults/effects.ts'
import { ENDINGS } from '../../robust/effects.ts'

/** Fields of an effect that only modify another one. */
const MODIFIERS = ['body', 'clock', 'headers', 'retryAfter']
/** Effects that the inspector leaves to code, because they take several values. */
const NOT_IN_INSPECTOR = ['stall', 'status']

/** Returns the fields of `do`, as the operation takes them. */
function effectNames(): string[] {
  const input = OPERATIONS.find(({ id }) => id === 'control.faults.add')?.input
  const schema = JSON.stringify(z.toJSONSchema(input as z.ZodType, { io: 'input', unrepresentable: 'any' }))
  const { anyOf } = JSON.parse(schema).properties.do as { anyOf: { properties?: object }[] }
  const names = anyOf.flatMap(({ properties = {} }) => Object.keys(properties))
  return names.filter((name) => !MODIFIERS.includes(name)).sort()
}

test('the fuzzer has every effect: ENDINGS and DELAYS in test/robust/effects.ts', () => {
  expect([...Object.keys(ENDINGS), 'delay'].sort()).toEqual(effectNames())
})

test('the inspector has every effect: EFFECTS in src/ui/panels/faults/effects.ts', () => {
  const values = { error: 'backendError', amount: '5s', retryAfter: '' }
  const offered = EFFECTS.flatMap(({ variants = [['']], toEffect }) =>
    variants.flatMap(([variant = '']) => Object.keys(toEffect({ ...values, variant }))),
  )
  expect([...new Set([...offered, ...NOT_IN_INSPECTOR])].sort()).toEqual(effectNames())
})

test('docs/reference/faults.md shows every effect', () => {
  const page = readFileSync('docs/reference/faults.md', 'utf8')
  expect(effectNames().filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([])
})
