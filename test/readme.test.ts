import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { COMMAND, launch, ROOT, run, serve } from './support/command.ts'

/** Everything in the README and on the page of control that can be pasted is run as it stands, but for the port. */
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
const controlPage = readFileSync(join(ROOT, 'docs', 'control.md'), 'utf8')
const blocks = [...(readme + controlPage).matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
const of = (language: string) => blocks.filter((block) => block.language === language).map(({ text }) => text)
const commands = of('sh').flatMap((text) => text.trim().split('\n'))

/** Inside the clone, where the names of packages lead to what is installed, and `fake-calendar` to our own build. */
const folder = mkdtempSync(join(ROOT, 'test', '.readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  writeFileSync(join(folder, 'world.json'), of('json')[0] ?? '')
  server = await serve()
})
afterAll(() => server.stop())

const here = (text: string) => text.replaceAll('127.0.0.1:8787', `127.0.0.1:${server.port}`)

test('every block is of a language that is tried here', () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh', 'js', 'json']))
})

test.each(of('js').map((text) => [/from '(.+)'/.exec(text)?.[1], text]))(
  'the program with %s runs',
  async (_, text = '') => {
    writeFileSync(join(folder, 'program.mjs'), here(text))
    const { code, stdout, stderr } = await run(['program.mjs'], { cwd: folder })
    const promised = [...text.matchAll(/console\.log.*\/\/ (.+)$/gm)].map(([, said]) => said)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const said of promised) expect(stdout).toContain(said)
  },
)

/** `npm ci`, `npm start` with its build and `npm test` are what .ci/run does: here it is only seen that they are those. */
test.each(commands.filter((command) => command.startsWith('npm')))('%s names scripts that there are', (command) => {
  const [, script = ''] = /^npm ci && npm (\w+)$/.exec(command) ?? []

  expect(manifest.scripts).toHaveProperty(script)
  expect(manifest.scripts).toHaveProperty(`pre${script}`, expect.stringContaining('build'))
  expect(manifest.scripts.start).toBe('node bin/fake-calendar.js')
})

const served = commands.filter((command) => command.startsWith('npx fake-calendar'))

test.each(served.filter((command) => !command.includes('--help')))('%s serves', async (command) => {
  const { printed, stop } = launch([...command.split(' ').slice(2), '--port', '0'], { cwd: folder })

  expect(await printed(/\n$/)).toContain('/calendar/v3')
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
})

test.each(served.filter((command) => command.includes('--help')))('%s helps', async (command) => {
  expect(await run([COMMAND, ...command.split(' ').slice(2)])).toMatchObject({ code: 0, stderr: '' })
})

test.each(commands.filter((command) => command.startsWith('curl')))('%s answers', async (command) => {
  const { code, stdout } = await run(['-c', here(command)], { command: 'sh' })

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).not.toHaveProperty('error')
})

test('no command is left untried', () => {
  expect(commands.filter((command) => !/^(npm ci && npm|npx fake-calendar|curl)\b/.test(command))).toEqual([])
})

test.each(readdirSync(join(ROOT, 'fixtures')))('the fixture %s is one to start from', async (name) => {
  const { stop, accounts } = await serve(['--seed', name.replace('.json', '')])
  await stop()

  expect(accounts).not.toEqual([])
})
