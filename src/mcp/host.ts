/** Settings of the server where the service's behaviour is not known (behaviour 17.9). */
export type McpOptions = {
  /** The tools that ask the user before they run: none (the default), tools that write, or all. */
  approval?: 'none' | 'writes' | 'all' | undefined
  /** False lists a series once, in place of its instances. The default is true. */
  expandSeries?: boolean | undefined
  /** True refuses tokens whose OAuth client is not marked `agentic` in the seed. */
  agenticOnly?: boolean | undefined
  /** True names one scope for each tool in its metadata, so that a token for one tool is refused by others. */
  toolScopes?: boolean | undefined
}

export type RestParams = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type ToolHost = {
  /**
   * Calls a method of the REST API, such as `events.insert`, as the caller and in the world of the tool call, with all
   * checks. Resolves to its result; throws a RestError for an error of the service.
   */
  callRest<R = object>(method: string, params: RestParams, body?: object): Promise<R>
  readonly email: string
  /** The time zone of the caller's settings. */
  readonly timeZone: string
  /** The time by the world's clock, in epoch milliseconds. */
  readonly now: number
  /** The number of the tool call in the journal. */
  readonly callNumber: number
  readonly options: McpOptions
}

/** An error that a tool reports to the model, as a result with `isError`. */
export class ToolError extends Error {}

export class RestError extends Error {
  readonly status: number
  readonly reason: string | undefined

  constructor(status: number, reason: string | undefined, message: string) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

const NO_PERMISSION = 'The caller does not have permission'
const NOT_FOUND = 'Requested entity was not found.'

/** Returns the text of an error for the model (behaviour 17.8), or undefined for an unexpected error. */
export function toErrorText(error: unknown): string | undefined {
  if (error instanceof ToolError) return error.message
  if (!(error instanceof RestError)) return undefined
  if (error.status === 404) return NOT_FOUND
  return error.status === 403 && /^(?:forbidden|requiredAccessLevel)/.test(error.reason ?? '')
    ? NO_PERMISSION
    : error.message
}
