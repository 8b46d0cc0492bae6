import type { Seed } from './index.cjs'

// One declaration for `import` and `require`: TypeScript 5.4 takes the default import of an ES module whose name ends in
// `.json` for the whole module.
declare const seed: Seed
export = seed
