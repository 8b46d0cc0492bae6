import { isEmail } from '../../oauth/credentials.ts'
import { CommandError } from '../commandError.ts'
import { defineCommand, type OptionValues } from '../defineCommand.ts'
import { exitOnSignal } from '../exitOnSignal.ts'
import { inGroup, text } from '../optionTable.ts'
import { requireText } from '../optionValues.ts'
import { printError, tolerateClosedOutputs } from '../output.ts'
import { SERVER_OPTIONS, toServerOptions } from '../serverOptions.ts'
import { createServer, listenOn, reportNewAccount } from '../startServer.ts'
import { keepState } from '../stateFile.ts'

const { seed, ics, owner, calendar, now, state, strict, port, host, log } = SERVER_OPTIONS
const OPTIONS = {
  ...inGroup('Access', {
    as: text('EMAIL', 'Account or token of the client (default: the first account of the world)'),
  }),
  strict,
  ...{ seed, ics, owner, calendar, now, state },
  'mcp-tools': SERVER_OPTIONS['mcp-tools'],
  'mcp-approval': SERVER_OPTIONS['mcp-approval'],
  'mcp-series': SERVER_OPTIONS['mcp-series'],
  'mcp-agentic-only': SERVER_OPTIONS['mcp-agentic-only'],
  'mcp-tool-scopes': SERVER_OPTIONS['mcp-tool-scopes'],
  port: { ...port, about: 'Listen on this port as well, for /_control and the inspector (default: no port)' },
  host,
  'control-token': SERVER_OPTIONS['control-token'],
  log,
} as const

export const mcp = defineCommand({
  name: 'mcp',
  usage: ['mcp [options]'],
  notes: 'Speaks the Model Context Protocol on stdin and stdout. Other output is on stderr.',
  options: OPTIONS,
  examples: [
    ['fake-calendar mcp --seed company --as nora@lumen.example.com', 'the demo company, as one of its people'],
    ['fake-calendar mcp --seed company --port 8787', 'with the inspector at http://127.0.0.1:8787/_ui/'],
  ],
  takesSeeds: true,
  exitCodes: [
    ['0', 'ended by the end of stdin, SIGINT or SIGTERM'],
    ['1', 'not started: stderr gives the reason in one line'],
  ],
  run: serveMcp,
})

async function serveMcp(values: OptionValues<typeof OPTIONS>): Promise<void> {
  tolerateClosedOutputs({ isServer: true })
  const options = toServerOptions(values, process.env)
  const server = await createServer(options)
  if (values.port !== undefined) printError(`listening on ${(await listenOn(server, options)).url}`)
  const { accounts, grants } = server.world(server.home).data
  const [first] = accounts.values()
  const token = values.as === undefined ? first?.email : requireText('--as', values.as, 'an address or a token')
  if (token === undefined) throw new CommandError('--as: the world has no account')
  if (isEmail(token) && !grants.get(token)) reportNewAccount(server, options, '--as', token)
  const { serveStandardStreams } = await import('../../mcp/gateway.ts')
  const connection = serveStandardStreams(
    ({ headers, ...init }) =>
      server.fetch(
        new Request('http://fake-calendar.localhost/mcp/v1', {
          ...init,
          headers: { ...headers, Authorization: `Bearer ${token}` },
        }),
      ),
    (error) => printError(error.message),
  )
  const end = async () => {
    await connection.close()
    await server.close()
  }
  void connection.closed.then(exitOnSignal(['SIGINT', 'SIGTERM'], end, keepState(server, options.state)))
}
