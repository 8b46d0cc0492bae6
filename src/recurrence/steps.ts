/**
 * How many periods of rules have been looked into, in this process. What a reply may cost is said in these, since they are
 * the same on every machine.
 */
export const steps = { taken: 0 }
