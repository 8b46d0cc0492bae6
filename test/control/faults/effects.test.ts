import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { api } from '../../../src/api/index.ts'
import { EFFECTS as EFFECT_ROWS, effectMethods } from '../../../src/control/faults/effectTable.ts'
import type { Fault } from '../../../src/index.ts'
import { EFFECTS, toEffect } from '../../../src/ui/panels/faults/effects.ts'
import { SAMPLES } from '../../robust/effects.ts'
import { openCalendar } from '../../support/calendar.ts'

const NAMES = api.map(({ id }) => id.replace('calendar.', ''))

test.each(Object.entries(SAMPLES))('%s can be added with each sample, and only to its methods', (name, samples) => {
  const { fake } = openCalendar()
  for (const effect of samples) {
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
  const values = { error: 'backendError', amount: '', retryAfter: '' }
  const offered = EFFECTS.map(({ id }) => toEffect(id, values))
  for (const effect of offered) fake.faults.add({ on: '*', do: effect as unknown as Fault['do'] })
  const plain = Object.entries(SAMPLES).flatMap(([name, [sample]]) =>
    Object.values(sample ?? {})[0] === true ? [name] : [],
  )

  const missing = plain.filter((name) => !EFFECTS.some(({ id }) => id === name))
  expect(missing, 'effects without a choice in src/ui/panels/faults/effects.ts').toEqual([])
})

test('docs/reference/faults.md has every effect in its table, and an example of it in its tests', () => {
  const page = readFileSync('docs/reference/faults.md', 'utf8')
  const examples = [...page.matchAll(/^```ts\n(.*?)^```/gms)].join('\n')
  const isMissing = (name: string) => !page.includes(`\n| \`{ ${name}`) || !new RegExp(`\\b${name}: `).test(examples)

  const missing = [...Object.keys(EFFECT_ROWS), 'delay'].filter(isMissing)
  expect(missing, 'effects without a row or an example in docs/reference/faults.md').toEqual([])
})
