import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'
import { digest } from '../model/ids.ts'
import type { ToolDefinition } from './definitions/tools.ts'
import type { McpOptions } from './host.ts'

// The service's form is not public. Everything that is decided about it is in this file (behaviour 17.10).

export type ToolCall = {
  readonly tool: ToolDefinition
  readonly given: unknown
  /** False at /mcp/v1self, which is for hosts without forms. */
  readonly hasForms: boolean
  /** The answers of a repeated call, and the state that the first one returned. */
  readonly inputResponses: Record<string, unknown> | undefined
  readonly requestState: string | undefined
  /** The number of the call in the journal. */
  readonly callNumber: number
  /** The forms that wait for an answer: their calls by the state that the form returned. */
  readonly openForms: Map<string, string>
  /** True if the user declines all calls that write, without a form. */
  readonly declinesWrites: boolean
}

/** The key of the form among the requests of a call. */
const KEY = 'approval'
const ONCE = 'Allow once'
const NEVER = "Don't allow"
const DENIED = 'The user did not allow this call.'
const UNAVAILABLE = 'This call needs the approval of the user, for which this endpoint has no form.'

export function needsApproval({ annotations }: ToolDefinition, { approval = 'none' }: McpOptions): boolean {
  const isRead = Object(annotations).readOnlyHint === true
  return approval === 'all' || (approval === 'writes' && !isRead)
}

/**
 * Returns undefined if a call may run. Otherwise returns the form to show, or after `decline`, `cancel` or "Don't allow"
 * the error. An answer counts once, for the call that it was asked for (behaviour 17.10).
 */
export function requestApproval(
  { tool, given, hasForms, inputResponses, requestState = '', callNumber, openForms, declinesWrites }: ToolCall,
  options: McpOptions,
): CallToolResult | InputRequiredResult | undefined {
  if (declinesWrites && needsApproval(tool, { approval: 'writes' })) return toErrorResult(DENIED)
  if (!needsApproval(tool, options)) return undefined
  if (!hasForms) return toErrorResult(UNAVAILABLE)
  const call = digest(JSON.stringify([tool.name, given]), 'sha256')
  const answer = inputResponse(inputResponses, KEY)
  if (answer.kind !== 'elicit' || openForms.get(requestState) !== call) {
    const state = digest(`${callNumber} ${call}`, 'sha256')
    openForms.set(state, call)
    return inputRequired({ inputRequests: { [KEY]: createForm(tool, given) }, requestState: state })
  }
  openForms.delete(requestState)
  return answer.action === 'accept' && answer.content?.decision === ONCE ? undefined : toErrorResult(DENIED)
}

const createForm = ({ name }: ToolDefinition, given: unknown) =>
  inputRequired.elicit({
    message: `Allow ${name}?\n${JSON.stringify(given ?? {}, null, 2)}`,
    requestedSchema: {
      type: 'object',
      properties: { decision: { type: 'string', title: 'Decision', enum: [ONCE, NEVER] } },
      required: ['decision'],
    },
  })

export const toErrorResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })
