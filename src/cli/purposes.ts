/** The commands in the order of help. `serve` is the command without a name. */
export const PURPOSES = {
  serve: 'Serves an in-memory fake of the Google Calendar API v3.',
  exec: 'Runs a command with its own fake, and exits with its exit code.',
  proxy: 'Starts a server, and a forward proxy that answers for the hosts of the service.',
  mcp: 'Serves the MCP server of the service on stdin and stdout.',
  eval: 'Evaluates an agent by tasks: a world, a prompt and a grade for each attempt.',
  prove: 'Proves the goals of tasks: right solutions pass, and planted faults fail.',
  export: 'Prints a calendar of a seeded world as an iCalendar file.',
  seed: 'Checks seed files, or formats them.',
  capture: 'Captures accounts of a calendar service as a seed.',
} as const
