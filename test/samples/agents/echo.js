import { runAsCommand } from './command.js'

/** An agent that answers the prompt, and does nothing. */
export const solve = async ({ prompt }) => prompt

await runAsCommand(import.meta.url, solve)
