export type KnownDefect = 'dryRun' | 'clear' | 'joinedKeys' | 'staleFault' | 'horizon' | 'forkedChannel'

/** The defects of the product that the generator steers around. An entry is removed when its defect is fixed. */
export const KNOWN_DEFECTS: readonly KnownDefect[] = []
