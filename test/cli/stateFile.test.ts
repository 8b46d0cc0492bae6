import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keepState, loadState } from '../../src/cli/stateFile.ts'
import { replaceOutputFile } from '../../src/cli/writeOutputFile.ts'
import { Server } from '../../src/server/server.ts'

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-state-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function openServer(seed: ConstructorParameters<typeof Server>[0]['seeds'][number] = {}, now?: string): Server {
  const server = new Server({ seeds: [seed], auth: { mode: 'open' }, webhooks: 'loopback', now })
  onTestFinished(() => server.close())
  return server
}

/** Minutes pass when `passMinute` is called. `printed` are the lines on stderr. */
function keep(file: string) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const timers = vi.spyOn(globalThis, 'setInterval')
  const printed: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => printed.push(String(line)) > 0)
  const server = openServer({ accounts: [{ email: 'ann@example.com' }] })
  const saveState = keepState(server, file)
  const addAccount = (email: string) => server.world('default').seed({ accounts: [{ email }] })
  return { addAccount, saveState, printed, timers, passMinute: () => vi.advanceTimersByTime(60_000) }
}

const listAccounts = (file: string): string[] =>
  JSON.parse(readFileSync(file, 'utf8')).accounts.map(({ email }: { email: string }) => email)

test('a state is saved every minute and for the last time, and its timer keeps no process alive', () => {
  const file = join(openFolder(), 'state.json')
  const { addAccount, saveState, timers, passMinute } = keep(file)
  vi.advanceTimersByTime(59_999)
  expect(existsSync(file)).toBe(false)
  vi.advanceTimersByTime(1)
  expect(listAccounts(file)).toEqual(['ann@example.com'])

  addAccount('bob@example.com')
  passMinute()
  expect(listAccounts(file)).toHaveLength(2)
  addAccount('carol@example.com')
  expect(saveState()).toBe(true)
  expect(listAccounts(file)).toHaveLength(3)
  rmSync(file)
  passMinute()
  expect(existsSync(file)).toBe(false)
  expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false])
})

test('a file that cannot be written is one line, not one a minute, and one more at the end', () => {
  const folder = join(openFolder(), 'states')
  const file = join(folder, 'state.json')
  const { saveState, printed, passMinute } = keep(file)
  const line = `fake-calendar: --state: ${file}: cannot be written: there is no such folder\n`
  passMinute()
  passMinute()
  expect(printed).toEqual([line])
  mkdirSync(folder)
  passMinute()
  expect(printed).toEqual([line])
  expect(listAccounts(file)).toEqual(['ann@example.com'])
  rmSync(folder, { recursive: true })
  passMinute()
  expect(saveState()).toBe(false)
  expect(printed).toEqual([line, line, line])
})

test('a file in a folder that cannot be written stays as it was, although the file itself could be written', () => {
  const folder = openFolder()
  const file = join(folder, 'state.json')
  const { saveState, printed } = keep(file)
  writeFileSync(file, 'old')
  chmodSync(file, 0o666)
  chmodSync(folder, 0o555)
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    expect(saveState()).toBe(false)
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(folder, 0o755)
  }
  expect(printed).toEqual([`fake-calendar: --state: ${file}: cannot be written: permission denied\n`])
  expect(readFileSync(file, 'utf8')).toBe('old')
})

test('what a killed process of the same id left beside the file is no obstacle', () => {
  const folder = openFolder()
  writeFileSync(join(folder, `.state.json.${process.pid}.tmp`), 'half')
  replaceOutputFile(join(folder, 'state.json'), 'whole', 'a')

  expect(readdirSync(folder)).toEqual(['state.json'])
  expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('whole')
})

test('a loaded state replaces seed and time of the first world, and others begin as before', async () => {
  const file = join(openFolder(), 'state.json')
  const first = openServer({
    accounts: [{ email: 'ann@example.com' }],
    clock: { mode: 'frozen', now: '2030-01-01T00:00:00Z' },
  })
  keepState(first, file)()
  const server = openServer({ accounts: [{ email: 'bob@example.com' }] }, '2031-01-01T00:00:00Z')
  await loadState(server, file)
  const read = (name: string) => {
    const { accounts, clock } = server.world(name).state()
    return [accounts?.map(({ email }) => email), clock?.now]
  }

  expect(read('default')).toEqual([['ann@example.com'], '2030-01-01T00:00:00.000Z'])
  expect(read('other')).toEqual([['bob@example.com'], '2031-01-01T00:00:00.000Z'])
})
