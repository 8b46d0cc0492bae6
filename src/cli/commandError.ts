/** Why the command does not start: one line for the person who typed it. */
export class CommandError extends Error {}
