import { runAsCommand } from './command.js'

/** An agent that does nothing and answers nothing. */
export const solve = async () => undefined

await runAsCommand(import.meta.url, solve)
