import { createRequire } from 'node:module'
import { join } from 'node:path'
import { callEveryTool } from '../../support/callEveryTool.js'

// Calls every tool with a framework, and prints the results as JSON:
// node callTools.js FOLDER_OF_PACKAGES FRAMEWORK CONNECTION, where CONNECTION is { url, token } or { command, args } as JSON.
const [, , folder = '', framework = '', connection = '{}'] = process.argv
const require = createRequire(join(folder, 'package.json'))
const { url, token, ...program } = JSON.parse(connection)
const remote = { url, headers: { Authorization: `Bearer ${token}` } }

const FRAMEWORKS = {
  async ai() {
    const { createMCPClient } = require('@ai-sdk/mcp')
    const client = await createMCPClient({ transport: { type: 'http', ...remote } })
    const tools = await client.tools()
    const call = async (name, args) =>
      (await tools[name].execute(args, { messages: [], toolCallId: name })).structuredContent
    return { names: Object.keys(tools), call, close: () => client.close() }
  },
  async langchain() {
    const { MultiServerMCPClient } = require('@langchain/mcp-adapters')
    const calendar = url ? { transport: 'http', ...remote } : { transport: 'stdio', ...program }
    const client = new MultiServerMCPClient({ mcpServers: { calendar } })
    const tools = await client.getTools()
    const call = async (name, args) => {
      const result = await tools.find((tool) => tool.name === name).invoke(args)
      return result.structuredContent
    }
    return { names: tools.map(({ name }) => name), call, close: () => client.close() }
  },
}

const { names, call, close } = await FRAMEWORKS[framework]()
console.log(JSON.stringify({ tools: names, results: await callEveryTool(call) }))
await close()
