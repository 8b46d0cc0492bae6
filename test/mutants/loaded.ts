/// <reference types="vite/client" />
/**
 * Loads at the start what else is loaded when it is first asked for. What is then worked out, as a constant is, no test could
 * see another value of in the same process: Stryker leaves such mutants out where that is not within a test.
 */
import.meta.glob(['../../src/*/**/*.ts', '!../../src/{capture,cli,conform,runners,scripts,ui,ways}/**'], { eager: true })
