import { refuse } from '../wire/refusals.ts'

/** Stands where a method is going to be: it answers 501 and names itself. */
export const notBuilt = (id: string) => (): never => refuse('notBuilt', { what: id })
