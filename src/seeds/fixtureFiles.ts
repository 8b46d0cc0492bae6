import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Returns the data of a file of the folder `fixtures`. The package has JSON instead, which it loads on first use. */
export const readFixtureFile = (name: string): unknown =>
  parse(readFileSync(new URL(`../../fixtures/${name}.yaml`, import.meta.url), 'utf8'), { merge: true })
