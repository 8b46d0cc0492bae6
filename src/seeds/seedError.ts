/** Thrown for an invalid seed. The message contains the path and the reason. */
export class SeedError extends Error {}
