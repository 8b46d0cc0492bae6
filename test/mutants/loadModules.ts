/// <reference types="vite/client" />
/**
 * Loads at the start what else of the room is loaded when it is first asked for. What is then worked out, as a constant is, no
 * test could see another value of in the same process: Stryker leaves such mutants out where that is not within a test. The
 * other rooms are left to the tests that import them: for each mutant, all is loaded again.
 */
const room = `../../src/${process.env.FC_ROOM ?? ''}/`
const files = import.meta.glob([
  '../../src/*/**/*.ts',
  '!../../src/{cli,interception,runners,ui}/**',
  '!../../src/server/pages/scripts/**',
])
await Promise.all(Object.keys(files).map((file) => file.startsWith(room) && files[file]?.()))
