import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeCalendar } from '../../support/command.ts'
import { installEnvironment } from '../../support/environment.ts'

const environment = await installEnvironment('test/samples/agents')

test.skipIf(!environment)('an unmodified MCP server reaches the worlds of its accounts', async () => {
  const agent = [process.execPath, 'test/samples/agents/otherServer.js', join(environment ?? '', 'package.json')]
  const exec = ['exec', '--intercept', '--seed', 'company', '--now', '2030-03-04T08:00:00Z', '--', ...agent]

  expect(await fakeCalendar(exec)).toEqual({ code: 0, stdout: 'w1 true\nw2 false\n', stderr: '' })
})
