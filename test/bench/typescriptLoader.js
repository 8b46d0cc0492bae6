import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const { ModuleKind, ScriptTarget, transpileModule } = ts
const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2023, verbatimModuleSyntax: true }

/** Loads TypeScript as Node 24 does: it removes the types of each file, and bundles nothing. */
export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context)
  const source = await readFile(fileURLToPath(url), 'utf8')
  return { format: 'module', shortCircuit: true, source: transpileModule(source, { compilerOptions }).outputText }
}
