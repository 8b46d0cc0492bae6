import { expect, test } from 'vitest'
import { readYaml } from '../../src/cli/seeds/document.ts'

test('a key that a map has twice is a fault at its second place', () => {
  expect(readYaml('accounts: []\ngroups:\n  - { email: a, email: b }\naccounts: []\n')).toEqual({
    faults: expect.arrayContaining([
      { line: 3, column: 17, problem: 'Map keys must be unique' },
      { line: 4, column: 1, problem: 'Map keys must be unique' },
    ]),
  })
})

test('a map of 200,000 keys is read, each key once', () => {
  const text = Array.from({ length: 200_000 }, (_, at) => `key${at}: ${at}`).join('\n')
  const read = readYaml(text)

  expect('data' in read && Object.keys(read.data as object)).toHaveLength(200_000)
})
