/** Environment variables of a process. An undefined value removes a variable. */
export type Env = Readonly<Record<string, string | undefined>>
