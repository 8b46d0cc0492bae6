import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { callEveryTool } from './callEveryTool.js'

// Calls every tool of the MCP server at an address with a token, and prints the results as JSON. `node mcpClient.js URL TOKEN`
const [, , url = '', token] = process.argv
const client = new Client({ name: 'test', version: '1' })
const requestInit = { headers: { Authorization: `Bearer ${token}` } }
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
const { tools } = await client.listTools()
const results = await callEveryTool(async (name, args) => {
  const { structuredContent } = await client.callTool({ name, arguments: args })
  return structuredContent
})
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), results }))
await client.close()
