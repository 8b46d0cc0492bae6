/** Thrown for an invalid seed. Each line of the message has a path and a reason. */
export class SeedError extends Error {}
