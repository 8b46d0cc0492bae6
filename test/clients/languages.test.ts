import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../src/index.ts'
import { createFakeCalendar } from '../../src/index.ts'
import { COMMAND, ROOT, run } from '../support/command.ts'
import { lacks, type ProgramName } from '../support/programs.ts'

const JUNIT = '/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar'
const JAVAC = `java --module-path . -m jdk.compiler/com.sun.tools.javac.Main -cp ${JUNIT} -d . CalendarTest.java`
const EXEC = `"$NODE" "$COMMAND" exec -- `

type Row = { file: string; needs: ProgramName; line: string; passed: RegExp }

/** The tests of the guide, with a line of the shell that runs each. */
const ROWS: Row[] = [
  { file: 'calendar_test.go', needs: 'go', line: `${EXEC} go test -count=1 calendar_test.go`, passed: /^ok /m },
  {
    file: 'calendar_test.rb',
    needs: 'ruby google-api-client',
    line: `${EXEC} ruby calendar_test.rb`,
    passed: /1 runs, 3 assertions, 0 failures, 0 errors/,
  },
  {
    file: 'calendar_spec.rb',
    needs: 'rspec',
    line: `${EXEC} rspec calendar_spec.rb`,
    passed: /1 example, 0 failures/,
  },
  {
    file: 'CalendarTest.php',
    needs: 'phpunit',
    line: `${EXEC} phpunit CalendarTest.php`,
    passed: /OK \(1 test, 3 assertions\)/,
  },
  {
    file: 'CalendarTest.java',
    needs: 'java junit',
    line: `${JAVAC} && ${EXEC} java -cp ${JUNIT}:. org.junit.runner.JUnitCore CalendarTest`,
    passed: /OK \(1 test\)/,
  },
]

for (const { file, needs, line, passed } of ROWS)
  test.skipIf(lacks(needs))(`${file} passes, and fails without its fault`, { timeout: 400_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'language-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    cpSync(join(ROOT, 'docs/guides/languages', file), join(folder, file))
    const env = {
      NODE: process.execPath,
      COMMAND,
      GO111MODULE: 'off',
      GOPATH: process.env.GOPATH ?? '/usr/share/gocode',
    }
    const runLine = () => run(['-c', line], { command: 'sh', cwd: folder, env })
    const right = await runLine()
    await run(['-c', `sed -Ei 's/events\\.(insert|quickAdd)/events.list/' ${file}`], { command: 'sh', cwd: folder })
    const wrong = await runLine()

    expect(right).toMatchObject({ code: 0, stdout: expect.stringMatching(passed) })
    expect(wrong.code).not.toBe(0)
  })

const FOLDER = join(ROOT, 'docs/guides/languages')
const NOT_RUN = readdirSync(FOLDER).filter((file) => !ROWS.some((row) => row.file === file))

test.each(NOT_RUN)(
  '%s, which no machine of the tests can run, plans a fault that refuses its first call',
  async (file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8')
    const [, on = '', fail = ''] = /(events\.\w+)\W+do\W+fail\W+(\w+)/.exec(text) ?? []
    const [token = 'alice@example.com', world = 'default'] = /(\w+)~alice@example\.com/.exec(text) ?? []
    const fake = createFakeCalendar()
    const quickAdd = async () => {
      const path = '/calendar/v3/calendars/primary/events/quickAdd?text=Lunch+tomorrow+at+noon'
      const { status } = await fake.request(path, { method: 'POST', headers: { Authorization: `Bearer ${token}` } })
      return status
    }
    fake.world(world).faults.add({ on, do: { fail } } as Fault)

    expect([await quickAdd(), await quickAdd()]).toEqual([403, 200])
    fake.world(world).faults.verify()
    expect([...text.matchAll(/\/w\/(\w+)\/_control/g)].every(([, name]) => name === world)).toBe(true)
    const routes = [...text.matchAll(/['"](\/(?:reset|faults)[\w/]*)['"]/g)].map(([, path]) => path)
    expect(new Set(routes)).toEqual(new Set(['/reset', '/faults', '/faults/verify']))
  },
)
