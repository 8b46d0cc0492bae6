/** Joins class names. Leaves out what is not set. */
export const cx = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
