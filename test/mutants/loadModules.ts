/// <reference types="vite/client" />
/**
 * Loads all modules of the mutated folder at the start, also those that are loaded on first use. Their constants are
 * computed once per process, and no test could see a mutated value: Stryker leaves such mutants out if they run
 * outside of a test. The
 * other rooms are left to the tests that import them: for each mutant, all is loaded again.
 */
const room = `../../src/${process.env.FC_ROOM ?? ''}/`
const files = import.meta.glob([
  '../../src/*/**/*.ts',
  '!../../src/{cli,interception,runners,ui}/**',
  '!../../src/server/pages/scripts/**',
])
await Promise.all(Object.keys(files).map((file) => file.startsWith(room) && files[file]?.()))
