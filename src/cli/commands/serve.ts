import manifest from '../../../package.json' with { type: 'json' }
import { CommandError } from '../commandError.ts'
import { defineCommand } from '../defineCommand.ts'
import { exitOnSignal, exitWithNpm } from '../exitOnSignal.ts'
import { formatGreeting } from '../greeting.ts'
import { flag, inGroup } from '../optionTable.ts'
import { printError, tolerateClosedOutputs } from '../output.ts'
import { SERVER_OPTIONS, type ServerCommandOptions, toServerOptions } from '../serverOptions.ts'
import { startServer } from '../startServer.ts'
import { keepState } from '../stateFile.ts'

export const serve = defineCommand({
  name: 'serve',
  usage: ['[options]', 'COMMAND [options]    (fake-calendar COMMAND --help describes a command)'],
  options: {
    ...SERVER_OPTIONS,
    ...inGroup('Worlds', {
      play: flag(
        'Play a scripted day of the company, a step every 4 seconds; serves the demo world company if no seed is named',
      ),
    }),
    ...inGroup('Output', { version: { ...flag('Print the version'), short: 'v' } }),
  },
  examples: [
    ['fake-calendar', 'serve the default world on port 8787'],
    ['fake-calendar --port 0 --json', 'on any free port, printed as JSON'],
    ['fake-calendar --play --open', 'a demo: the company, a scripted day, and the inspector'],
    ['fake-calendar --seed team --now 2026-03-02T09:00:00Z', 'a demo world, with a frozen clock'],
  ],
  takesSeeds: true,
  exitCodes: [
    ['0', 'ended by SIGINT or SIGTERM'],
    ['1', 'not started: stderr gives the reason in one line'],
  ],
  run: async (values) => {
    if (values.version) process.stdout.write(`${manifest.version}\n`)
    else if (values.play) await runServer(toPlayedOptions(toServerOptions(values, process.env)), true)
    else await runServer(toServerOptions(values, process.env))
  },
})

/** A played day has the company as its default seed, and excludes `--strict` and `--state`. */
function toPlayedOptions(options: ServerCommandOptions): ServerCommandOptions {
  if (options.auth.mode === 'strict')
    throw new CommandError('--play: leave out --strict, because the story signs in by e-mail address')
  if (options.state !== undefined)
    throw new CommandError('--play: leave out --state, because the story begins with the seed')
  return options.seeds.length > 0 ? options : { ...options, seeds: ['company'] }
}

/** The inspector at the account of the story's first step, whose calendar changes. */
async function toStoryUrl({ ui, accounts }: { ui: string; accounts: readonly string[] }): Promise<string> {
  const { readStory } = await import('../../seeds/story.ts')
  const account = readStory('company').steps.find((step) => step.account)?.account
  const url = new URL(ui)
  if (account !== undefined && accounts.includes(account)) url.searchParams.set('account', account)
  return url.href
}

async function runServer(options: ServerCommandOptions, isPlayed = false): Promise<void> {
  tolerateClosedOutputs({ isServer: true })
  const { server, started: reached } = await startServer(options)
  const started = isPlayed ? { ...reached, ui: await toStoryUrl(reached) } : reached
  const story = new AbortController()
  const close = () => {
    story.abort()
    return server.close()
  }
  const end = exitOnSignal(['SIGINT', 'SIGTERM'], close, keepState(server, options.state))
  exitWithNpm(process.env.npm_lifecycle_script, end)
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(started)}\n`)
  if (options.output === 'text') {
    const [seeded] = [...server.world(server.home).data.grants.values()].map(({ token }) => token)
    process.stdout.write(
      formatGreeting(started, seeded ?? (options.auth.mode === 'strict' ? undefined : started.accounts[0])),
    )
  }
  if (options.open) {
    const { openInBrowser } = await import('../openBrowser.ts')
    openInBrowser(started.ui, printError)
  }
  if (isPlayed) {
    const { playDay, StoryPlayer } = await import('../playDay.ts')
    const { controls } = server.world(server.home)
    const player = new StoryPlayer(() => controls.journal.notify('changed'))
    controls.story = player
    const print = options.output === 'text' ? (line: string) => void process.stdout.write(`${line}\n`) : () => {}
    const target = { fetch: (request: Request) => server.fetch(request), rootUrl: started.rootUrl, print, player }
    await playDay({ ...target, controlToken: options.controlToken, signal: story.signal }).catch((error) =>
      printError(`--play: ${error instanceof Error ? error.message : error}`),
    )
  }
}
