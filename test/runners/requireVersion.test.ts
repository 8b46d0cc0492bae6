import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { requireVersion } from '../../src/runners/requireVersion.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-versions-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Creates a project with one installed package. */
function createProject(name: string, version: string): string {
  const at = join(folder, `${name}-${version}`)
  mkdirSync(join(at, 'node_modules', name), { recursive: true })
  writeFileSync(join(at, 'node_modules', name, 'package.json'), JSON.stringify({ name, version }))
  return join(at, 'package.json')
}

test('an outdated runner is rejected in one line', () => {
  const check = () => requireVersion('vitest', 'vitest', 3, [createProject('vitest', '1.6.1')])

  expect(check).toThrow(new Error('fake-calendar/vitest needs vitest 3 or later, and this is 1.6.1'))
})

test.each(['3.0.0', '5.0.0-beta.1', '10.2.0'])('version %s is accepted', (version) => {
  expect(() => requireVersion('vitest', 'vitest', 3, [createProject('vitest', version)])).not.toThrow()
})

test('the project’s version has priority over the one beside the package, and an unknown one is accepted', () => {
  const [old, recent] = [createProject('jest', '27.5.1'), createProject('jest', '29.7.0')]

  expect(() => requireVersion('jest', 'jest', 28, [recent, old])).not.toThrow()
  expect(() => requireVersion('jest', 'jest', 28, [join(folder, 'package.json'), old])).toThrow('this is 27.5.1')
  expect(() => requireVersion('jest', 'jest', 28, [join(folder, 'package.json')])).not.toThrow()
})
