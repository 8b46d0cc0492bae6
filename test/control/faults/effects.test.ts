import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { api } from '../../../src/api/index.ts'
import { EFFECT_FIELDS, effectMethods, exampleEffects } from '../../../src/control/faults/effects.ts'
import type { Fault } from '../../../src/index.ts'
import { EFFECTS } from '../../../src/ui/panels/faults/effects.ts'
import { openCalendar } from '../../support/calendar.ts'

const NAMES = api.map(({ id }) => id.replace('calendar.', ''))

test.each(EFFECT_FIELDS)('%s can be added with each of its examples, and only to its methods', (name) => {
  const { fake } = openCalendar()
  for (const effect of exampleEffects(name)) {
    const methods = effectMethods(effect)
    for (const on of NAMES) {
      const add = () => fake.faults.add({ on, do: effect } as Fault)
      if (methods && !methods.includes(on)) expect(add).toThrow(`do.${name}: applies only to ${methods.words}`)
      else expect(add).not.toThrow()
    }
  }
})

test('the inspector adds valid effects, and every effect without a value', () => {
  const { fake } = openCalendar()
  const values = { error: 'backendError', amount: '5s', retryAfter: '' }
  const offered = EFFECTS.flatMap(({ variants = [['']], toEffect }) =>
    variants.map(([variant = '']) => toEffect({ ...values, variant })),
  )
  for (const effect of offered) fake.faults.add({ on: '*', do: effect as Fault['do'] })
  const plain = EFFECT_FIELDS.filter((name) => exampleEffects(name)[0]?.[name] === true)

  expect(offered.flatMap(Object.keys)).toEqual(expect.arrayContaining(plain))
})

test('docs/reference/faults.md has every effect in its table, and an example of it in its tests', () => {
  const page = readFileSync('docs/reference/faults.md', 'utf8')
  const examples = [...page.matchAll(/^```ts\n(.*?)^```/gms)].join('\n')
  const isMissing = (name: string) => !page.includes(`\n| \`{ ${name}`) || !new RegExp(`\\b${name}: `).test(examples)

  expect([...EFFECT_FIELDS, 'fail', 'status', 'delay'].filter(isMissing)).toEqual([])
})
