// biome-ignore lint/suspicious/noExplicitAny: tests read any field of a result
export type CallTool = (tool: string, args: object) => Promise<any>

export const COMPANY_ARGUMENTS: string[]
export const EVERY_RESULT: Record<string, unknown>
export function callEveryTool(call: CallTool): Promise<Record<string, unknown>>
