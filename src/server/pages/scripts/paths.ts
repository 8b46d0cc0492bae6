/** Where the scripts stand: of `apis.google.com`, by today's name and an older one, and of `accounts.google.com`. */
export const SCRIPT_PATHS = ['/js/api.js', '/js/client.js', '/gsi/client'] as const

export type ScriptPath = (typeof SCRIPT_PATHS)[number]
