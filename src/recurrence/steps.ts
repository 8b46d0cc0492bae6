/**
 * Rule periods that this process has expanded. Tests bound the work of a reply in this unit, because it is the same on every
 * machine.
 */
export const steps = { taken: 0 }
