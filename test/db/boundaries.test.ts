import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ file: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }))

test.each(read('src/db'))('$file imports only the database and its tree', ({ text }) => {
  const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, source = '']) => source)
  expect(imports.filter((source) => !/^\.\/\w+\.ts$|^sorted-btree/.test(source))).toEqual([])
})

test.each(read('src/db'))('$file has no words of the service', ({ text }) => {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  expect(code.match(/calendar|events?\b|attendee|guest|organizer|iCalUID|recurrence/gi) ?? []).toEqual([])
})

/** The caches that are not those of `db/memo.ts`, each with the reason. */
const CACHES: Record<string, string> = {
  'src/api/events/view.ts': 'Keeps one zone for each event.',
  'src/db/memo.ts': 'The memo itself.',
  'src/db/records.ts': 'Keeps one stamp for each version: the next write to the group replaces it.',
  'src/model/events/series.ts': 'Bounded: series by their lines, and instances by zone.',
}

test('the engine has no caches except those of db/memo.ts and those listed with a reason', () => {
  const folders = ['src/db', 'src/model', 'src/sync', 'src/effects', 'src/api']
  const caches = folders
    .flatMap(read)
    .filter(
      ({ file, text }) =>
        /^(?:export )?(?:const|let) \w+[^\n]*= new (?:Weak)?Map(?:<.*>)?\(\)$/m.test(text) || file.endsWith('memo.ts'),
    )
    .map(({ file }) => file)
  // An empty map of a read-only type is a constant.
  const constants = ['src/effects/push/notifications.ts']
  expect(caches.filter((file) => !constants.includes(file)).sort()).toEqual(Object.keys(CACHES).sort())
})
