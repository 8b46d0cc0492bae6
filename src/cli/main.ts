import { serve } from './commands/serve.ts'
import type { Command } from './defineCommand.ts'
import { reportErrors, tolerateClosedOutputs } from './output.ts'
import type { PURPOSES } from './purposes.ts'

/** Loaded on use, so that a starting server does not wait for them. */
const COMMANDS: Record<Exclude<keyof typeof PURPOSES, 'serve'>, () => Promise<Command>> = {
  exec: async () => (await import('./commands/exec.ts')).exec,
  proxy: async () => (await import('./commands/proxy.ts')).proxy,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  eval: async () => (await import('./commands/eval.ts')).evaluate,
  prove: async () => (await import('./commands/prove.ts')).prove,
  export: async () => (await import('./commands/export.ts')).exportCalendar,
  seed: async () => (await import('./commands/seed.ts')).seed,
  capture: async () => (await import('./commands/capture.ts')).capture,
}

/** The first argument names the command, else it is `serve`. */
export async function main(args: readonly string[]): Promise<void> {
  tolerateClosedOutputs()
  const [name = '', ...others] = args
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name as keyof typeof COMMANDS] : undefined
  await reportErrors(async () => (load ? (await load()).run(others) : serve.run(args)))
}
