import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the service imports nothing but Node and itself', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !/\.test\.ts$|^opened\.ts$/.test(name))
  const imported = files.flatMap((name) =>
    [...readFileSync(`${import.meta.dirname}/${name}`, 'utf8').matchAll(/ from '(.+)'/g)].map(([, from]) => from),
  )

  expect(files.length).toBeGreaterThan(5)
  expect(imported.filter((from) => !/^node:|^\.\/\w+\.ts$/.test(from ?? '') || from === './opened.ts')).toEqual([])
})
