import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeOutputFile } from '../../src/cli/writeOutputFile.ts'
import { COMMAND, fakeCalendar, launch, openServer, run, runCommand } from '../support/command.ts'
import { lacks } from '../support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-robust-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

const shell = (line: string, env: Record<string, string> = {}) =>
  run(['-c', line], { command: 'sh', env: { PORT: '', NODE: process.execPath, COMMAND, ...env }, timeout: 100_000 })

const seed = at('seed.json')
writeFileSync(seed, '{ "accounts": [] }\n')

test.each(['--help', '--version', 'exec --help', 'export --calendar primary', `seed check '${seed}'`])(
  '%s into a pipe without a reader prints no stack',
  async (line) => {
    // The reader of the named pipe closes it before the command starts.
    const pipe = at(`closed-${line.replace(/\W/g, '')}`)
    execFileSync('mkfifo', [pipe])
    const { code, stderr } = await shell(
      `{ exec 3> '${pipe}'; wait; "$NODE" "$COMMAND" ${line} >&3; echo "code $?" >&2; } & true < '${pipe}'; wait`,
    )

    expect({ code, stderr }).toEqual({ code: 0, stderr: 'code 0\n' })
  },
)

test.each(['stdout', 'stderr'] as const)('a server whose %s is closed continues', async (stream) => {
  const args = [COMMAND, '--port', '0', ...(stream === 'stderr' ? ['--json', '--log'] : ['--json'])]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PORT: '' } })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  child[stream].destroy()
  const { url } = JSON.parse(String(line)) as { url: string }
  const statuses: number[] = []
  for (let count = 0; count < 3; count++) statuses.push((await fetch(`${url}/calendar/v3/colors?key=any`)).status)
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')

  expect({ statuses, code }).toEqual({ statuses: [200, 200, 200], code: 0 })
})

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  test('standard output: one line and exit code 1', async () => {
    expect(await shell('"$NODE" "$COMMAND" export --calendar primary > /dev/full')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'fake-calendar: standard output: cannot be written: the disk is full\n',
    })
  })
})

test('a command runs without a browser for consent if the scripts for it cannot be written', async () => {
  // No file may have a byte, as on a full disk.
  const limited = (line: string) => shell(`trap '' XFSZ; ulimit -f 0; "$NODE" --no-node-snapshot "$COMMAND" ${line}`)

  expect(await limited(`exec -- sh -c 'exit 3'`)).toEqual({ code: 3, stdout: '', stderr: '' })
  expect(await limited('exec --intercept -- true')).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringMatching(/^fake-calendar: [^\n]*cannot be written[^\n]*\n$/),
  })
})

test('a link stays a link, and the file behind it is written', () => {
  const [file, link] = [at('target.json'), at('link.json')]
  writeFileSync(file, 'old')
  symlinkSync(file, link)
  writeOutputFile(link, 'new')

  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe('new')
})

test.skipIf(!existsSync('/dev/full'))('capture writes through a pipe, a link and a device', async () => {
  const [pipe, target, link] = [at('capture.pipe'), at('capture.target'), at('capture.link')]
  execFileSync('mkfifo', [pipe])
  writeFileSync(target, 'old')
  symlinkSync(target, link)
  const { url } = await openServer()
  const capture = (out: string) =>
    runCommand(['capture', '--base-url', url, '-o', out], { FAKE_CALENDAR_TOKEN: 'alice@example.com' })
  const reading = run(['20', 'cat', pipe], { command: 'timeout' })
  const ends = [await capture(pipe), await capture(link), await capture('/dev/full'), await capture('/dev/null/x')]
  const { stdout } = await reading

  expect(stdout.length).toBeGreaterThan(100)
  expect(readFileSync(target, 'utf8')).toBe(stdout)
  expect([lstatSync(pipe).isFIFO(), lstatSync(link).isSymbolicLink()]).toEqual([true, true])
  expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
    { code: 1, stderr: expect.stringMatching(/^fake-calendar: .*\/dev\/full: cannot be written: the disk is full\n$/) },
    {
      code: 1,
      stderr: expect.stringMatching(
        /^fake-calendar: .*\/dev\/null\/x: cannot be written: a part of its path is not a folder\n$/,
      ),
    },
  ])
})

test('a signal ends eval while it waits for a reader of its pipe', async () => {
  const pipe = at('unread')
  execFileSync('mkfifo', [pipe])
  const task = at('task.yaml')
  writeFileSync(
    task,
    'name: Idle\nlevel: 1\nseed: default\naccount: alice@example.com\nprompt: Rest.\ngoal: { do: [] }\n',
  )
  const child = spawn(process.execPath, [COMMAND, 'eval', task, '--agent', 'true', '--junit', pipe], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: '' },
  })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  // Signals count only once it waits, so they repeat.
  await expect
    .poll(() => (child.exitCode ?? child.signalCode) !== null || !child.kill('SIGTERM'), { timeout: 20_000 })
    .toBe(true)
    .finally(() => child.kill('SIGKILL'))

  expect(await exited).toEqual([null, 'SIGTERM'])
})

test('a folder for temporary files that does not exist is one line', async () => {
  const reply = await runCommand(['exec', '--intercept', '--', 'true'], { TMPDIR: at('none') })

  expect(reply).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: `fake-calendar: ${at('none')}: cannot write temporary files: there is no such folder (set TMPDIR to use another folder)\n`,
  })
})

const goesOn = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

test.skipIf(process.platform !== 'linux')(
  'a process that ignores SIGTERM is killed 2 seconds after its command',
  async () => {
    const program = `const child = require('node:child_process').spawn(process.execPath,
      ['-e', 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)'],
      { stdio: ['ignore', 'pipe', 'ignore'], env: {} })
    child.stdout.once('data', (pid) => { console.log(String(pid)); process.exit() })`
    const { code, stdout } = await fakeCalendar(['exec', '--', process.execPath, '-e', program])

    expect(code).toBe(0)
    await expect.poll(() => goesOn(Number(stdout))).toBe(false)
  },
)

test.skipIf(process.platform !== 'linux').each(['SIGTERM', 'SIGINT', 'twice SIGINT'])(
  'exec inside of exec leaves no process after %s',
  async (signal) => {
    const script = at('nested.sh')
    writeFileSync(
      script,
      'sleep 30 & echo $!; "$NODE" "$COMMAND" exec -- sh -c \'sleep 30 & echo $!; echo $$; exec sleep 30\'',
    )
    const child = spawn(process.execPath, [COMMAND, 'exec', '--', 'sh', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PORT: '', NODE: process.execPath, COMMAND },
    })
    const ended = once(child, 'exit')
    let output = ''
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += text
      if (output.split('\n').length < 4 || child.killed) continue
      child.kill(signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT')
      if (signal.startsWith('twice')) child.kill('SIGINT')
    }
    await ended
    const pids = output.trim().split('\n').map(Number)

    expect(pids).toHaveLength(3)
    for (const pid of pids) await expect.poll(() => goesOn(pid)).toBe(false)
  },
)

/** A module that sends SIGTERM to its own process at a moment of the start. */
const SIGNAL_AT = `const { spawn } = require('node:child_process')
  const { MOMENT: moment } = process.env
  const stop = () => process.kill(process.pid, 'SIGTERM')
  if (moment.startsWith('load ')) {
    const Module = require('node:module')
    const load = Module._load
    Module._load = function (name, ...rest) {
      if (String(name).endsWith(moment.slice(5))) stop()
      return load.call(this, name, ...rest)
    }
  } else require('node:child_process').spawn = (...args) => {
    if (moment === 'before spawn') stop()
    const child = spawn(...args)
    if (moment === 'after spawn') stop()
    if (moment === 'spawned') child.once('spawn', stop)
    return child
  }`

test('a signal at any moment of the start leaves no process and no folder', async () => {
  const own = mkdtempSync(at('tmp-'))
  const [pids, preload] = [at('pids'), at('signalAt.cjs')]
  writeFileSync(pids, '')
  writeFileSync(preload, SIGNAL_AT)
  const moments = ['load cli.cjs', 'load exec.cjs', 'load server.cjs', 'before spawn', 'after spawn', 'spawned']
  const ends = await Promise.all(
    moments.map(async (moment) => {
      const child = spawn(
        process.execPath,
        ['-r', preload, COMMAND, 'exec', '--intercept', '--', 'sh', '-c', `echo $$ >> '${pids}'; exec sleep 30`],
        { env: { ...process.env, PORT: '', TMPDIR: own, MOMENT: moment }, stdio: 'ignore' },
      )
      const [code, signal] = await once(child, 'exit')
      return code ?? signal
    }),
  )

  expect(ends).toEqual(moments.map(() => expect.toBeOneOf([143, 'SIGTERM'])))
  const started = readFileSync(pids, 'utf8').trim().split('\n').filter(Boolean).map(Number)
  expect(started.filter(goesOn)).toEqual([])
  expect(readdirSync(own)).toEqual([])
})

const IN_WORLDS = ['exec', '--intercept', '--worlds', 'ci,two', '--']

test('--worlds: the variables name the first world, and so do intercepted requests of Node', async () => {
  const program = `const { FAKE_CALENDAR_URL: url, FAKE_CALENDAR_CONTROL_URL: control } = process.env
    const status = async (url) => (await fetch(url)).status
    Promise.all([status(url + '/calendar/v3/colors?key=any'), status(control + '/state'),
      status('https://www.googleapis.com/calendar/v3/colors?key=any')]).then((all) => console.log(all.join()))`

  expect(await fakeCalendar([...IN_WORLDS, process.execPath, '-e', program])).toMatchObject({ stdout: '200,200,200\n' })
})

test.skipIf(lacks('curl'))('--worlds: intercepted requests of other programs go to the first world', async () => {
  const plain = "curl -s -o /dev/null -w '%{http_code}' 'https://www.googleapis.com/calendar/v3/colors?key=any'"

  expect(await fakeCalendar([...IN_WORLDS, 'sh', '-c', plain])).toMatchObject({ stdout: '200' })
})

test('seed check prints the first 20 of 9,000 problems, and their number', async () => {
  const file = at('unknown.json')
  writeFileSync(file, JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, key) => [`key${key}`, key]))))
  const { code, stdout } = await runCommand(['seed', 'check', file])
  const lines = stdout.split('\n')

  expect({ code, count: lines.length }).toEqual({ code: 1, count: 22 })
  expect(lines[0]).toBe(
    `${file}:1:2: key0: there is no "key0"; there are $schema, anchor, clock, conferences, accounts, groups, calendars, channels, mail, tokens, apiKeys, oauth, files`,
  )
  expect(lines[20]).toBe('and 8980 more')
})

test('export rejects a day that does not exist', async () => {
  expect(await runCommand(['export', '--calendar', 'primary', '--now', '2026-02-30T09:00:00Z'])).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'fake-calendar: --now: not an instant: 2026-02-30T09:00:00Z (there is no such day)\n',
  })
})

test.each<[string[], Record<string, string>]>([
  [['--control-token-file', at('token')], {}],
  [[], { FAKE_CALENDAR_CONTROL_TOKEN: 'sesame' }],
])('the control token comes from %j and %j', async (args, env) => {
  writeFileSync(at('token'), 'sesame\n')
  const { url } = await openServer(args, env)
  const status = async (headers: Record<string, string>) => (await fetch(`${url}/_control/state`, { headers })).status

  expect([await status({}), await status({ 'X-Fake-Control-Token': 'sesame' })]).toEqual([401, 200])
})

test('capture takes tokens from a file and from a variable', async () => {
  writeFileSync(at('tokens'), 'alice@example.com\n')
  const { url } = await openServer()
  const args = ['capture', '--base-url', url]
  const ends = [
    await runCommand([...args, '--token-file', at('tokens')]),
    await runCommand(args, { FAKE_CALENDAR_TOKEN: 'alice@example.com' }),
  ]

  for (const end of ends)
    expect(end).toEqual({ code: 0, stdout: expect.stringContaining('alice@example.com'), stderr: '' })
})

test.each(['SIGHUP', 'SIGQUIT'] as const)('proxy removes its certificates on %s', async (signal) => {
  const own = mkdtempSync(at('proxy-'))
  const { printed, stop } = launch(['proxy', '--port', '0', '--proxy-port', '0', '--json'], { env: { TMPDIR: own } })
  await printed(/\n$/)
  const before = readdirSync(own).length
  const { code } = await stop(signal)

  expect({ before, code, after: readdirSync(own) }).toEqual({ before: 1, code: 0, after: [] })
})

test('proxy without a folder for its certificates ends with one line', async () => {
  const args = ['proxy', '--port', '0', '--proxy-port', '0']
  const { code, stderr } = await runCommand(args, { TMPDIR: '/dev/null' })

  expect(stderr).toMatch(/^fake-calendar: \/dev\/null: cannot write temporary files: .*\n$/)
  expect(code).toBe(1)
})

test('control characters and marks that reverse text are escaped in what is printed', async () => {
  const { stderr } = await runCommand(['--seed', 'a\u009b31m\u202eb'])

  expect(stderr).toMatch(/^fake-calendar: a\\u009b31m\\u202eb: cannot read the seed/)
})

test.each(['https://example.com', 'a b', '*', 'example.com/path', 'example.com:443', '-x.example'])(
  '--allow refuses %j',
  async (host) => {
    const { code, stderr } = await runCommand(['exec', '--intercept', `--allow=${host}`, '--', 'true'])

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `fake-calendar: --allow: not a host name: ${host} (expected a form such as example.com or *.example.com)\n`,
    })
  },
)
