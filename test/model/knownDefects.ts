export type KnownDefect = 'dryRun' | 'clear' | 'horizon' | 'stub'

/**
 * The defects of the product that the generator steers around. An entry is removed when its defect is fixed:
 * - `dryRun`: later pages lose events after a dry run;
 * - `clear`: calendars.clear and calendars.delete cancel exceptions twice;
 * - `horizon`: an endless series without timeMax reaches the instant two years after the clock;
 * - `stub`: an instance that its guest was removed from shows guests that the series gains later.
 */
export const KNOWN_DEFECTS: readonly KnownDefect[] = ['dryRun']
