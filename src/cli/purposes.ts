/** The commands and their purposes, in the order of help. `serve` is the command without a name. */
export const PURPOSES = {
  serve: 'Serves an in-memory fake of the Google Calendar API v3.',
  exec: 'Runs a command beside its own fake, and ends with its exit code.',
  proxy: 'Serves, and opens a forward proxy that answers for the hosts of the service.',
  export: 'Prints a calendar of a seeded world as an iCalendar file.',
  seed: 'Checks seed files, or formats them.',
  capture: 'Reads an account of a calendar service into a seed.',
  conform: 'Compares a server, or a recording, with the documented behaviour of the service.',
} as const
