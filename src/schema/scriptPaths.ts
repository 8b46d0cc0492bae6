/** Scripts of `apis.google.com`, with an older alias, and of `accounts.google.com`. */
export const SCRIPT_PATHS = ['/js/api.js', '/js/client.js', '/gsi/client'] as const

export type ScriptPath = (typeof SCRIPT_PATHS)[number]
