import {
  canBeAllowed,
  findForwardProblem,
  type HostForwards,
  isHostPattern,
  normalizeHost,
} from '../../interception/hosts.ts'
import { quoteForShell } from '../../schema/values/shownText.ts'
import { CommandError } from '../commandError.ts'
import { defineCommand } from '../defineCommand.ts'
import { createServerEnv } from '../exec/childEnv.ts'
import type { Env } from '../exec/env.ts'
import { openProxyForServer } from '../exec/openProxy.ts'
import { openTemporaryFolder } from '../exec/temporaryFolder.ts'
import { exitOnSignal } from '../exitOnSignal.ts'
import { inGroup, text, texts } from '../optionTable.ts'
import { parsePort } from '../optionValues.ts'
import { tolerateClosedOutputs } from '../output.ts'
import { SERVER_OPTIONS, type ServerCommandOptions, toServerOptions } from '../serverOptions.ts'
import { startServer } from '../startServer.ts'
import { keepState } from '../stateFile.ts'

export const ALLOW = texts('HOST', 'Additional host that may be called: a name, or *.example.com')
export const FORWARD = texts(
  'HOST=URL',
  'Send the requests for another host, such as gmail.googleapis.com, to another fake',
)

const { json, ...SERVER } = SERVER_OPTIONS

export const proxy = defineCommand({
  name: 'proxy',
  usage: ['proxy [options]'],
  notes: 'Prints the environment variables for programs that use the proxy, as lines for a POSIX shell.',
  options: {
    ...inGroup('Proxy', {
      'proxy-port': text('PORT', 'Port of the proxy; 0 selects a free one (default 8788)'),
      allow: ALLOW,
      forward: FORWARD,
    }),
    ...SERVER,
    json: { ...json, about: 'Print one line of JSON: the fields of the server, proxy and env' },
  },
  examples: [
    ['fake-calendar proxy > lines.sh &', 'serve on 8787 and 8788; then: . ./lines.sh'],
    ['fake-calendar proxy --port 0 --proxy-port 0 --json', 'on any free ports, printed as JSON'],
    ['fake-calendar proxy --seed team --allow api.example.com', 'let one other host through'],
  ],
  takesSeeds: true,
  exitCodes: [
    ['0', 'ended by SIGINT, SIGTERM, SIGHUP or SIGQUIT'],
    ['1', 'not started: stderr gives the reason in one line'],
  ],
  run: async (values) => {
    const proxyPort = parsePort('--proxy-port', values['proxy-port'] ?? '8788')
    const hosts = { allow: requireAllowedHosts(values.allow), forwards: requireForwards(values.forward) }
    await runProxy(toServerOptions(values, process.env), proxyPort, hosts)
  },
})

export const requireAllowedHosts = (hosts: readonly string[] = []): string[] =>
  hosts.map((host) => {
    if (host === '') throw new CommandError("--allow: it is empty (expected a host that is not the service's own)")
    if (!isHostPattern(host))
      throw new CommandError(`--allow: not a host name: ${host} (expected a form such as example.com or *.example.com)`)
    if (!canBeAllowed(host)) throw new CommandError(`--allow: ${host} (expected a host that is not the service's own)`)
    return host
  })

export function requireForwards(texts: readonly string[] = []): HostForwards {
  const forwards = new Map<string, URL>()
  for (const text of texts) {
    const [, host = '', url = ''] = /^([^=]*)=(.*)$/.exec(text) ?? []
    if (!host)
      throw new CommandError(`--forward: ${text} (expected a form such as gmail.googleapis.com=http://127.0.0.1:9000)`)
    const name = normalizeHost(host)
    const problem = findForwardProblem(host, url) ?? (forwards.has(name) ? `${host} is named twice` : undefined)
    if (problem !== undefined) throw new CommandError(`--forward: ${problem}`)
    forwards.set(name, new URL(url))
  }
  return forwards
}

type Hosts = { allow: readonly string[]; forwards: HostForwards }

async function runProxy(options: ServerCommandOptions, port: number, hosts: Hosts): Promise<void> {
  tolerateClosedOutputs({ isServer: true })
  const folder = openTemporaryFolder({ isRequired: true })
  const running: { close(): Promise<void> }[] = []
  let saveState = () => true
  const close = async () => {
    folder.remove()
    await Promise.all(running.map((one) => one.close()))
  }
  exitOnSignal(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'], close, () => saveState())
  const { server, started } = await startServer(options)
  running.push(server)
  const opened = await openProxyForServer(server, { folder: folder.path, ...hosts, port, env: process.env }).catch(
    async (error) => {
      await server.close()
      throw error
    },
  )
  running.push(opened)
  saveState = keepState(server, options.state)
  const env = { ...createServerEnv(started), ...opened.env }
  if (options.output === 'json') process.stdout.write(`${JSON.stringify({ ...started, proxy: opened.url, env })}\n`)
  if (options.output === 'text') process.stdout.write(toShellLines(env))
}

const toShellLines = (env: Env): string =>
  Object.entries(env)
    .map(([name, value]) => (value === undefined ? `unset ${name}\n` : `export ${name}=${quoteForShell(value)}\n`))
    .join('')
