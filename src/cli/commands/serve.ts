import manifest from '../../../package.json' with { type: 'json' }
import { defineCommand } from '../defineCommand.ts'
import { greeting } from '../greeting.ts'
import { printError, tolerateClosedOutputs } from '../output.ts'
import { type Options, SERVER_OPTIONS, toServerOptions } from '../serverOptions.ts'
import { startServer } from '../startServer.ts'

/** The command without a name: a server, until a signal ends it. */
export const serve = defineCommand({
  name: 'serve',
  usage: ['[options]', 'COMMAND [options]    (fake-calendar COMMAND --help describes a command)'],
  options: {
    ...SERVER_OPTIONS,
    version: { type: 'boolean', short: 'v', about: 'Print the version', group: 'Output' },
  },
  examples: [
    ['fake-calendar', 'serve the default world on port 8787'],
    ['fake-calendar --port 0 --json', 'on any free port, printed as JSON'],
    ['fake-calendar --seed team --now 2026-03-02T09:00:00Z', 'a fixture, with a frozen clock'],
  ],
  takesSeeds: true,
  exitCodes: [
    ['0', 'ended by SIGINT or SIGTERM'],
    ['1', 'not started: stderr gives the reason in one line'],
  ],
  run: async (values) => {
    if (values.version) process.stdout.write(`${manifest.version}\n`)
    else await runServer(toServerOptions(values, process.env))
  },
})

async function runServer(options: Options): Promise<void> {
  tolerateClosedOutputs({ isServer: true })
  const { server, started } = await startServer(options)
  const end = () => server.close().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  if (process.env.npm_lifecycle_script) {
    const { exitWithNpm } = await import('../exitWithNpm.ts')
    exitWithNpm(process.env, end)
  }
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(started)}\n`)
  if (options.output === 'text') {
    const [seeded] = [...server.realm(server.home).world.grants.values()].map(({ token }) => token)
    process.stdout.write(greeting(started, seeded ?? (options.strict ? undefined : started.accounts[0])))
  }
  if (options.open) {
    const { openInBrowser } = await import('../openBrowser.ts')
    openInBrowser(started.ui, printError)
  }
}
