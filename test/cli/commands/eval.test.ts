import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { runAgent } from '../../../src/cli/evaluation/runAgent.ts'
import type { AgentAttempt } from '../../../src/control/types/attempts.ts'
import { COMMAND, launch, runCommand } from '../../support/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'eval-'))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const agent = (name: string, lines: string): string => `node ${write(name, lines)}`

const TASK = `name: Book a lunch
level: 1
seed:
  accounts:
    - { email: alice@example.com, timeZone: Europe/Berlin }
now: '2030-06-03T07:00:00Z'
account: alice@example.com
prompt: Book {{meal}} on 2030-06-07.
variables:
  meal: [a lunch, a dinner]
goal:
  do:
    - POST /calendars/primary/events: { summary: '{{meal}}', start: { date: '2030-06-07' }, end: { date: '2030-06-08' } }
  say: { has: '{{meal}}' }
budget: 2
`
const task = write('lunch.yaml', TASK)

/** Books what the prompt asks for, and answers with it. */
const BOOKS = agent(
  'books.mjs',
  `import { text } from 'node:stream/consumers'
  const prompt = await text(process.stdin)
  if (prompt !== process.env.FAKE_CALENDAR_PROMPT) throw new Error('two prompts')
  const [, summary, date] = /^Book (.*) on (.*)\\.$/.exec(prompt)
  const headers = { Authorization: 'Bearer ' + process.env.FAKE_CALENDAR_TOKEN, 'Content-Type': 'application/json' }
  const end = { date: new Date(Date.parse(date) + 86400000).toISOString().slice(0, 10) }
  const body = JSON.stringify({ summary, start: { date }, end })
  await fetch(process.env.FAKE_CALENDAR_REST_URL + '/calendars/primary/events', { method: 'POST', headers, body })
  console.log('I have booked ' + summary)`,
)

test('an agent that books what each prompt asks for passes all attempts, in variations too', async () => {
  const [json, junit] = [join(folder, 'report.json'), join(folder, 'report.xml')]
  const options = ['--runs', '3', '--vary', '1', '--json', json, '--junit', junit, '--min-score', '1']
  const { code, stdout, stderr } = await runCommand(['eval', task, '--agent', BOOKS, ...options])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /^Task +Level +Passed +95 % interval +pass\^k +Secure +Score +Calls +Errors +Time\nBook a lunch +1 +3 of 3 +44 % to 100 % +100 % \(3\) +1\.00 +1\.0 +0\.0 +[\d.]+ s\nAll tasks +3 of 3 /,
  )
  const report = JSON.parse(readFileSync(json, 'utf8'))
  expect(report.total).toMatchObject({ attempts: 3, passed: 3, score: 1, calls: 1 })
  expect(report.attempts.map(({ attempt, passed }: { attempt: number; passed: boolean }) => [attempt, passed])).toEqual(
    [
      [1, true],
      [2, true],
      [3, true],
    ],
  )
  expect(readFileSync(junit, 'utf8')).toMatch(
    /^<\?xml .*\n<testsuites name="fake-calendar eval" tests="3" failures="0">\n {2}<testsuite name="Book a lunch" tests="3"/,
  )
})

test('a crash, silence and a timeout are results, and say what is missing', async () => {
  const short = write('short.yaml', TASK.replace('budget: 2', 'timeout: 1s').replace('Book a lunch', 'Wait'))
  const crashes = agent('crashes.mjs', `console.log('a lunch'); throw new Error('no key <&>')`)
  const waits = agent('waits.mjs', 'setInterval(() => {}, 1000)')
  const junit = join(folder, 'crash.xml')
  const crash = await runCommand(['eval', task, '--agent', crashes, '--junit', junit])
  const silence = await runCommand(['eval', task, '--agent', 'true', '--min-score', '0.5'])
  const timeout = await runCommand(['eval', short, '--agent', waits])

  expect({ code: crash.code, stderr: crash.stderr }).toEqual({
    code: 3,
    stderr:
      'fake-calendar: eval: 1 of 1 agents did not run to their end; the first: the agent failed: exit code 1: Error: no key <&>\n',
  })
  expect(crash.stdout).toMatch(/^Book a lunch +1 +0 of 1 +0 % to 79 % +0 % \(1\) +0\.33 /m)
  expect(crash.stdout).toMatch(/^Book a lunch #1: missing: the agent failed: exit code 1: Error: no key <&>$/m)
  expect(crash.stdout).toMatch(
    /^Book a lunch #1: missing: no change: event "a lunch" of alice@example.com: added: .*$/m,
  )
  expect(readFileSync(junit, 'utf8')).toMatch(
    /<failure message="score 0\.33">missing: the agent failed: exit code 1: Error: no key &#60;&#38;&#62;/,
  )
  expect({ code: silence.code, stderr: silence.stderr }).toEqual({ code: 2, stderr: '' })
  expect(timeout.stdout).toMatch(/^Wait #1: missing: the agent failed: no end after 1 s$/m)
})

test('an agent that ends with the exit code 127 after another attempt has failed, and the results remain', async () => {
  const second = agent('second.mjs', `process.exit(process.env.FAKE_CALENDAR_TOKEN.includes('-2-') ? 127 : 0)`)
  const options = ['--runs', '3', '--parallel', '1']
  const { code, stdout, stderr } = await runCommand(['eval', task, '--agent', second, ...options])

  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'fake-calendar: eval: 1 of 3 agents did not run to their end; the first: the agent failed: exit code 127\n',
  })
  expect(stdout).toMatch(/^Book a lunch +1 +0 of 3 /m)
  expect(stdout).toMatch(/^Book a lunch #2: missing: the agent failed: exit code 127$/m)
})

test('an exceeded budget is printed as unexpected', async () => {
  const once = write('once.yaml', TASK.replace('budget: 2', 'budget: 1').replace('Book a lunch', 'Read once'))
  const reads = agent(
    'reads.mjs',
    `const headers = { Authorization: 'Bearer ' + process.env.FAKE_CALENDAR_TOKEN }
    for (const _ of [1, 2]) await fetch(process.env.FAKE_CALENDAR_REST_URL + '/colors', { headers })`,
  )
  const { stdout } = await runCommand(['eval', once, '--agent', reads])

  expect(stdout).toMatch(/^Read once #1: unexpected: 2 calls; the budget is 1$/m)
})

test('with --log the standard error of the agent is passed on', async () => {
  const warns = agent('warns.mjs', `console.error('step 1'); process.exit(3)`)
  const { code, stdout, stderr } = await runCommand(['eval', task, '--agent', warns, '--log'])

  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/^step 1\nfake-calendar: eval: 1 of 1 agents did not run/),
  })
  expect(stdout).toMatch(/^Book a lunch #1: missing: the agent failed: exit code 3: step 1$/m)
})

test('with --log, text that cannot be written yet is left to the agent', async () => {
  let [held, mostHeld] = [0, 0]
  const drain = () => {
    held = 0
    process.stderr.emit('drain')
  }
  // The terminal is free again a hundred turns of the loop after the first text that it could not take.
  const drainLater = (turns = 100) => void setImmediate(() => (turns > 0 ? drainLater(turns - 1) : drain()))
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    if (held === 0) drainLater()
    held += text.length
    mostHeld = Math.max(mostHeld, held)
    return false
  })
  const { signal } = new AbortController()
  const options = { stop: signal, passesErrors: true, canRun: () => true }
  const { work } = await runAgent('head -c 30000000 /dev/zero >&2', { prompt: '', signal } as AgentAttempt, options)
  spy.mockRestore()

  expect(mostHeld).toBeLessThan(300_000)
  expect(work.stderr).toHaveLength(2000)
})

test('a process that left the group of the agent does not keep the evaluation waiting', async () => {
  const orphan = join(folder, 'orphan')
  const leaves = agent(
    'leaves.mjs',
    `import { spawn } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' })
    writeFileSync('${orphan}', String(child.pid))
    console.log('a lunch')
    process.exit(0)`,
  )
  onTestFinished(() => void process.kill(Number(readFileSync(orphan, 'utf8'))))
  const { code, stdout } = await runCommand(['eval', task, '--agent', leaves])

  expect(code).toBe(0)
  expect(stdout).toMatch(/^Book a lunch +1 +0 of 1 +0 % to 79 % +0 % \(1\) +0\.50 /m)
})

const ATTACKS = agent(
  'attacks.mjs',
  `const { FAKE_CALENDAR_REST_URL: rest, FAKE_CALENDAR_TOKEN: token, ...others } = process.env
  const root = rest.replace('/calendar/v3', '')
  const [world, secret] = token.split('~')
  const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' }
  const status = async (path, more = {}, method = 'GET', body) =>
    (await fetch(root + path, { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) })).status
  const result = { task: 'x', attempt: 1, passed: true, score: 1, missing: [], unexpected: [], calls: 0, errors: 0 }
  const list = '/calendar/v3/users/me/calendarList'
  const seen = {
    own: await status(list),
    grade: await status('/_control/worlds/' + world + '/result', {}, 'PUT', result),
    reset: await status('/_control/reset', {}, 'POST'),
    state: await status('/_control/state'),
    overview: await status('/_control/overview'),
    journal: await status('/_control/calls'),
    function: await status('/_control/functions/worlds', {}, 'POST', []),
    guessed: await status('/_control/worlds', { 'X-Fake-Control-Token': secret }),
    inspector: await status(list, { 'X-Fake-Calendar-Inspector': '1' }),
    asOther: await status('/_control/as/bob@example.com' + list),
    otherWorld: await status(list, { Authorization: 'Bearer default~' + secret }),
    otherAccount: await status(list, { Authorization: 'Bearer ' + world + '~bob@example.com' }),
    otherHeader: await status('/w/default' + list, { Authorization: 'Bearer alice@example.com', 'X-Fake-World': 'default' }),
    key: await status('/w/' + world + '/calendar/v3/calendars/alice@example.com/events?key=any', { Authorization: '' }),
    authorization: await status('/o/oauth2/v2/auth?client_id=x&redirect_uri=http://localhost&response_type=code&scope=a'),
    tokens: Object.keys(others).filter((name) => /CONTROL/.test(name)),
    secrets: Object.values(others).filter((value) => /goal|say/.test(value)),
  }
  console.log(JSON.stringify(seen))`,
)

test('the agent reaches neither the controls nor another world or account', async () => {
  const json = join(folder, 'attacks.json')
  const env = { FAKE_CALENDAR_CONTROL_TOKEN: 'of the shell', FAKE_CALENDAR_CONTROL_URL: 'http://127.0.0.1:1/_control' }
  const { code } = await runCommand(['eval', task, '--agent', ATTACKS, '--json', json], env)
  const { attempts } = JSON.parse(readFileSync(json, 'utf8'))

  expect(code).toBe(0)
  expect(JSON.parse(attempts[0].answer)).toEqual({
    own: 200,
    ...{
      grade: 403,
      reset: 403,
      state: 403,
      overview: 403,
      journal: 403,
      function: 403,
      guessed: 403,
      inspector: 403,
      asOther: 401,
    },
    ...{ otherWorld: 401, otherAccount: 401, otherHeader: 401, key: 400, authorization: 401 },
    ...{ tokens: [], secrets: [] },
  })
})

test('a signal ends the agents, and without a finished attempt no report is printed', async () => {
  const mark = join(folder, 'started')
  const waits = agent(
    'marks.mjs',
    `import { writeFileSync } from 'node:fs'; writeFileSync('${mark}', String(process.pid)); setInterval(() => {}, 1000)`,
  )
  const running = launch(['eval', task, '--agent', waits, '--parallel', '1'])
  await expect.poll(() => existsSync(mark) && readFileSync(mark, 'utf8') !== '', { timeout: 60_000 }).toBe(true)
  const { code, stdout } = await running.stop('SIGINT')
  const isRunning = () => {
    try {
      return process.kill(Number(readFileSync(mark, 'utf8')), 0)
    } catch {
      return false
    }
  }

  expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
  await expect.poll(isRunning, { timeout: 60_000 }).toBe(false)
})

test('after a signal the finished attempts are reported', async () => {
  const [mark, json] = [join(folder, 'finished'), join(folder, 'interrupted.json')]
  const waits = agent(
    'waits.mjs',
    `import { existsSync, writeFileSync } from 'node:fs'
    const [first, second] = ['${mark}1', '${mark}2']
    if (existsSync(first)) {
      writeFileSync(second, '')
      setInterval(() => {}, 1000)
    } else writeFileSync(first, '')
    console.log('a lunch')`,
  )
  const running = launch(['eval', task, '--agent', waits, '--parallel', '1', '--runs', '3', '--json', json])
  await expect.poll(() => existsSync(`${mark}2`), { timeout: 60_000 }).toBe(true)
  const { code, stdout, stderr } = await running.stop('SIGINT')

  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: 'fake-calendar: eval: ended by SIGINT after 1 of 3 attempts\n',
  })
  expect(stdout).toMatch(/\nAll tasks +0 of 1 /)
  expect(JSON.parse(readFileSync(json, 'utf8')).attempts).toMatchObject([{ attempt: 1, answer: 'a lunch' }])
})

test('--ui keeps the worlds with their results until a signal', async () => {
  const { printed, stop } = launch(['eval', task, '--agent', 'cat', '--ui'])
  const table = await printed(/All tasks .*\n\n.*\n/)
  const { code, stderr } = await stop('SIGTERM')

  expect(table).toContain('Book a lunch')
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^http:\/\/\S+\/_ui\/\?panel=worlds#token=\S+\n$/),
  })
})

const wrongTask = write(
  'wrong.yaml',
  TASK.replace('2030-06-03T07:00:00Z', 'tomorrow')
    .replace('on 2030', 'at {{time}}')
    .replace('budget', 'budgett')
    .replace('POST /calendars', 'FETCH /calendars'),
)
const seedFile = write('office.yaml', 'accounts:\n  - { email: alice }\n')
const fileTask = write('file.yaml', TASK.replace(/seed:\n[^\n]*\n[^\n]*\n/, 'seed: office.yaml\n'))
const unknownSeed = write('unknown.yaml', TASK.replace(/seed:\n[^\n]*\n[^\n]*\n/, 'seed: firm\n'))
const missingSeed = write('missing.yaml', TASK.replace(/seed:\n[^\n]*\n[^\n]*\n/, 'seed: nofile.yaml\n'))
const placeholderName = write('name.yaml', TASK.replace('name: Book a lunch', 'name: Book {{dish}}'))
const noYaml = write('broken.yaml', 'name: [\n')

test.each([
  [
    'a wrong task',
    [wrongTask],
    [
      `${wrongTask}:6:6: now: not an instant (expected a form such as 2030-03-04T08:00:00Z)`,
      `${wrongTask}:8:9: prompt: {{time}}: there is no variable "time"; did you mean "meal"?`,
      `${wrongTask}:13:7: goal.do[0]: give a tool with its arguments, or a request such as POST /calendars`,
      `${wrongTask}:15:1: budgett: there is no "budgett"; did you mean "budget"? There are $schema, name, level, seed, now, account, prompt, variables, faults, quota, approval, user, tools, goal, budget, timeout`,
    ],
  ],
  [
    'a wrong seed file',
    [fileTask],
    [`${seedFile}:2:14: accounts[0].email: expected an address, such as alice@example.com; got "alice"`],
  ],
  ['an unknown seed', [unknownSeed], [`${unknownSeed}:3:7: seed: there is no demo world "firm"`]],
  [
    'a missing seed file',
    [missingSeed],
    [`${missingSeed}:3:7: seed: there is no such file: ${join(folder, 'nofile.yaml')}`],
  ],
  [
    'a placeholder in a name',
    [placeholderName],
    [`${placeholderName}:1:7: name: a name cannot contain {{, because a report finds its attempts by it`],
  ],
  ['text that is not YAML', [noYaml], [expect.stringMatching(/broken\.yaml:2:1: .+/)]],
  ['two tasks of a name', [task, task], [`${task}:1:1: name: ${task} has a task of the same name: Book a lunch`]],
])('%s is reported with its position, one line for each problem', async (_, files, lines) => {
  const { code, stdout, stderr } = await runCommand(['eval', ...files, '--agent', 'true'])

  expect({ code, stderr, lines: stdout.trimEnd().split('\n') }).toEqual({ code: 1, stderr: '', lines })
})

test('a date that a variation cannot move is reported with --vary alone', async () => {
  const dated = write('dated.yaml', TASK.replace('2030-06-07.', '7 June 2030.'))
  const varied = await runCommand(['eval', dated, '--agent', 'true', '--vary', '1'])
  const plain = await runCommand(['eval', dated, '--agent', 'true'])

  expect({ code: varied.code, stdout: varied.stdout }).toEqual({
    code: 1,
    stdout: `${dated}:8:9: prompt: a variation cannot move the date "7 June 2030" (expected a form such as 2030-09-10)\n`,
  })
  expect(plain).toMatchObject({ code: 0, stderr: '' })
})

test.each([
  [[], 'eval: requires --agent or --score (eval --help lists the options)'],
  [['--agent', 'true'], 'eval: requires a task file or a folder (eval --help lists the options)'],
  [['missing.yaml', '--agent', 'true'], 'missing.yaml: cannot read the task: there is no such file'],
  [[task, '--agent', 'true', '--runs', '0'], '--runs: 0 (expected a number from 1 to 10000)'],
  [[task, '--agent', 'true', '--runs', '99999999'], '--runs: 99999999 (expected a number from 1 to 10000)'],
  [[task, '--agent', 'true', '--vary', 'x'], '--vary: x (expected a whole number)'],
  [[task, '--agent', 'true', '--min-score', '2'], '--min-score: 2 (expected a number from 0 to 1)'],
  [
    [task, '--agent', 'true', '--json', '/missing/x.json'],
    '--json: /missing/x.json: cannot be written: there is no such folder',
  ],
  [[task, '--agent', 'true', '--json', task], `--json: ${task}: is a task file`],
  [
    [task, '--agent', 'true', '--task', 'Book lunch'],
    expect.stringMatching(/^--task: there is no task "Book lunch"|^--task: there is no .*did you mean/),
  ],
  [[task, '--agent', 'true', '--resume', task], `--resume: ${task}: not a report of --json`],
  [[task, '--score', task], `--score: ${task}: not a report of --json`],
  [[task, '--score', 'report.json', '--agent', 'true'], '--agent: not with --score, which runs no agent'],
  [[task, '--score', 'report.json', '--vary', '1'], '--vary: not with --score, which runs no agent'],
  [[task, '--agent', 'true', '--json', '-'], '--json: - (expected the name of a file)'],
  [[task, '--agent', 'true', '--json', 'x', '--junit', './x'], '--junit: ./x: --json names the same file'],
  [[task, '--agent', 'true', '--junit', '-'], '--junit: - (expected the name of a file)'],
  [[task, '--agent', 'no-such-agent'], expect.stringMatching(/^--agent: .*no-such-agent.*not found/)],
])('eval %s fails with one line', async (args, message) => {
  const { code, stderr } = await runCommand(['eval', ...args])
  const [line = '', ...others] = stderr.split('\n')

  expect({ code, others }).toEqual({ code: 1, others: [''] })
  expect(line.replace(/^fake-calendar: /, '')).toEqual(message)
})

test('a prompt that is longer than an environment variable may be is on standard input alone', async () => {
  const long = write('long.yaml', TASK.replace('prompt: ', `prompt: ${'x'.repeat(200_000)} `))
  const counts = agent(
    'counts.mjs',
    `import { text } from 'node:stream/consumers'
    console.log((await text(process.stdin)).length > 200000, process.env.FAKE_CALENDAR_PROMPT === undefined, 'a lunch')`,
  )
  const json = join(folder, 'long.json')
  const { code } = await runCommand(['eval', long, '--agent', counts, '--json', json])

  expect({ code, answer: JSON.parse(readFileSync(json, 'utf8')).attempts[0].answer }).toEqual({
    ...{ code: 0, answer: 'true true a lunch' },
  })
})

test('a report has the evidence of each attempt, and an evaluation resumes from it', async () => {
  const json = join(folder, 'evidence.json')
  const first = await runCommand(['eval', task, '--agent', BOOKS, '--task', 'Book a lunch', '--json', json])
  const { total, attempts } = JSON.parse(readFileSync(json, 'utf8'))

  expect(first.code).toBe(0)
  expect(total).toMatchObject({ passed: 1, passPower: [1] })
  expect(attempts[0].evidence).toMatchObject({
    ...{
      prompt: 'Book a lunch on 2030-06-07.',
      variables: { meal: 'a lunch' },
      vary: null,
      command: BOOKS,
      stderr: '',
    },
    diff: [{ change: 'added', kind: 'event', title: 'a lunch' }],
    journal: [{ method: 'events.insert', arguments: { summary: 'a lunch' }, status: 200 }],
    ...{ mails: [], version: expect.stringMatching(/^\d/), taskHash: expect.stringMatching(/^[\da-f]{64}$/) },
  })
  const resumed = await runCommand(['eval', task, '--agent', 'false', '--runs', '2', '--resume', json])
  expect(resumed.stdout).toMatch(/^Book a lunch +1 +1 of 2 .* 0 % \(2\)/m)
  const changed = write('changed.yaml', TASK.replace('budget: 2', 'budget: 3'))
  expect((await runCommand(['eval', changed, '--agent', 'false', '--resume', json])).stdout).toMatch(/0 of 1/)
})

test('a command takes turns with the user as lines of JSON, and the last one is the answer', async () => {
  const talk = TASK.replace('goal:', "user:\n  - { when: { has: what }, says: 'A {{meal}}.' }\ngoal:").replace(
    'Book {{meal}} on',
    'Book it on',
  )
  const talks = agent(
    'talks.mjs',
    `import { createInterface } from 'node:readline'
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
    const hear = async () => JSON.parse((await lines.next()).value).user
    const say = (agent) => console.log(JSON.stringify({ agent }))
    console.log('no turn')
    const [, date] = / on (.*)\\.$/.exec(await hear())
    say('What is it?')
    const summary = (await hear()).slice(2, -1)
    const headers = { Authorization: 'Bearer ' + process.env.FAKE_CALENDAR_TOKEN, 'Content-Type': 'application/json' }
    const end = { date: new Date(Date.parse(date) + 86400000).toISOString().slice(0, 10) }
    const body = JSON.stringify({ summary, start: { date }, end })
    await fetch(process.env.FAKE_CALENDAR_REST_URL + '/calendars/primary/events', { method: 'POST', headers, body })
    say('I have booked ' + summary)
    process.exit(0)`,
  )
  const json = join(folder, 'talk.json')
  const options = ['--agent', talks, '--vary', '1', '--runs', '2', '--json', json]
  const { stdout, code } = await runCommand(['eval', write('talk.yaml', talk), ...options])
  const { attempts } = JSON.parse(readFileSync(json, 'utf8'))

  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^All tasks +2 of 2/m) })
  expect(attempts[0].answer).toMatch(/^I have booked a (lunch|dinner)$/)
  expect(attempts[0].evidence.conversation[0]).toMatchObject({ agent: 'What is it?' })
})

test('--score grades the attempts of a report by changed goals, in variations and after failures too', async () => {
  const json = join(folder, 'scored.json')
  const failing = `${BOOKS}; exit 3`
  for (const [command, passed] of [
    [BOOKS, '2 of 2'],
    [failing, '0 of 2'],
  ]) {
    await runCommand(['eval', task, '--agent', String(command), '--runs', '2', '--vary', '4', '--json', json])
    const score = async (text: string) => runCommand(['eval', write('score.yaml', text), '--score', json])
    const same = await score(TASK)
    const stricter = await score(
      TASK.replace('say:', 'mail: as-done\n  say:').replace("'{{meal}}' }\nbudget", "'tea' }\nbudget"),
    )

    expect(same.stdout).toMatch(new RegExp(`^All tasks +${passed}`, 'm'))
    expect(same.code).toBe(command === BOOKS ? 0 : 3)
    expect(stricter.stdout).toMatch(/^All tasks +0 of 2/m)
    expect(stricter.stdout).toMatch(/answer: expected .*"tea"/)
  }
})

test('a signal ends --score after the present attempt', async () => {
  const hanging = TASK.replace('budget: 2', 'faults:\n  - { on: events.insert, times: always, do: { hang: true } }')
  const [file, json] = [write('hanging.yaml', hanging), join(folder, 'hanging.json')]
  await runCommand(['eval', file, '--agent', 'true', '--json', json])
  const { attempts, ...report } = JSON.parse(readFileSync(json, 'utf8'))
  const call = { n: 1, method: 'events.insert', verb: 'POST', path: '/calendar/v3/calendars/primary/events' }
  const [{ evidence, ...one }] = attempts
  const journal = [{ ...call, params: { calendarId: 'primary' }, arguments: {}, reply: '' }]
  const many = Array.from({ length: 200 }, (_, at) => ({ ...one, attempt: at + 1, evidence: { ...evidence, journal } }))
  writeFileSync(json, JSON.stringify({ ...report, attempts: many }))
  // The log is on stderr, so its first line shows that an attempt has begun.
  const line = `exec "${process.execPath}" "${COMMAND}" eval "${file}" --score "${json}" --log 2>&1`
  const running = launch(['-c', line], { command: 'sh' })
  await running.printed(/events\.insert/)
  const { code, stdout } = await running.stop('SIGINT')

  expect(code).toBe(130)
  expect(stdout).toMatch(/ended by SIGINT after \d{1,2} of 200 attempts/)
})

test('--score refuses a report whose requests have other effects in the world of the task', async () => {
  const json = join(folder, 'other.json')
  await runCommand(['eval', task, '--agent', BOOKS, '--json', json])
  const full = TASK.replace('Europe/Berlin }', 'Europe/Berlin, displayName: Al, showDisplayName: true }')
  const { code, stderr, stdout } = await runCommand(['eval', write('full.yaml', full), '--score', json])
  const other = write('other.yaml', TASK.replace('Book a lunch', 'Another'))

  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'fake-calendar: eval: Book a lunch #1: not graded: its requests have other effects in the present world of the task\n',
  })
  expect(stdout).toMatch(/^All tasks +0 of 0/m)
  expect((await runCommand(['eval', other, '--score', json])).stderr).toBe(
    `fake-calendar: --score: ${json}: has no attempt at these tasks\n`,
  )
})

test('control signs of a task, a path and an agent are escaped, and its last line is cut', async () => {
  const odd = write('odd\u001b.yaml', TASK.replace('name: Book a lunch', 'name: "Book \\e[31m"'))
  const bad = write('bad\u001b.yaml', TASK.replace('account: alice', 'account: "\\e[31m"'))
  const fails = agent('fails.mjs', `process.stderr.write('Error: \\u001b[31m' + 'y'.repeat(6e4)); process.exit(1)`)
  const junit = join(folder, 'odd.xml')
  const failed = await runCommand(['eval', odd, '--agent', fails, '--junit', junit])
  const refused = await runCommand(['eval', bad, '--agent', 'true'])

  const texts = [failed.stdout, failed.stderr, refused.stdout, readFileSync(junit, 'utf8')]
  for (const text of texts) expect(text).not.toContain('\u001b')
  for (const text of texts) expect(text.length).toBeLessThan(5000)
  expect(failed.stderr).toContain('Error: \\u001b[31myyy')
})

test.skipIf(!existsSync('/dev/full'))(
  'a full disk is one line, after the table, and the other file is written',
  async () => {
    const junit = join(folder, 'beside.xml')
    const files = ['--json', '/dev/full', '--junit', junit]
    const { code, stdout, stderr } = await runCommand(['eval', task, '--agent', 'true', ...files])

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'fake-calendar: --json: /dev/full: cannot be written: the disk is full\n',
    })
    expect(stdout).toContain('Book a lunch')
    expect(readFileSync(junit, 'utf8')).toContain('<testsuites')
  },
)
