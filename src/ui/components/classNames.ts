/** Joins CSS class names with spaces. Empty, false and undefined names are left out. */
export const cx = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ')
