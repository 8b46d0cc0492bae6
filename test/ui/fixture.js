import { readFileSync } from 'node:fs'

/** A seed of the package by its name. */
export const fixture = (name) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8'))
