import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const { ModuleKind, ScriptTarget, transpileModule } = ts
const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2023, verbatimModuleSyntax: true }
let reportsCalls = false

/** With `reportsCalls`, each function calls `globalThis.onCall(url, name)` when it begins. */
export function initialize(data) {
  reportsCalls = data?.reportsCalls ?? false
}

/** Loads TypeScript as Node 24 does: it removes the types of each file, and bundles nothing. */
export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context)
  const source = await readFile(fileURLToPath(url), 'utf8')
  const transformers = reportsCalls ? { before: [insertReports(url)] } : {}
  return {
    format: 'module',
    shortCircuit: true,
    source: transpileModule(source, { compilerOptions, transformers }).outputText,
  }
}

const insertReports = (url) => (context) => (file) => {
  const { factory } = context
  const reportOf = (name) =>
    factory.createCallChain(
      factory.createPropertyAccessExpression(factory.createIdentifier('globalThis'), 'onCall'),
      factory.createToken(ts.SyntaxKind.QuestionDotToken),
      undefined,
      [factory.createStringLiteral(url), factory.createStringLiteral(name)],
    )
  const withReport = (body, name) =>
    ts.isBlock(body)
      ? factory.updateBlock(body, [factory.createExpressionStatement(reportOf(name)), ...body.statements])
      : factory.createComma(reportOf(name), factory.createParenthesizedExpression(body))
  const visit = (node, nameAround) => {
    const own =
      node.name && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name)) ? node.name.text : undefined
    const name = own ?? (ts.isConstructorDeclaration(node) ? 'constructor' : (nameAround ?? '(anonymous)'))
    const inner = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)
    const visited = ts.visitEachChild(node, (child) => visit(child, inner ? own : undefined), context)
    if (!ts.isFunctionLike(visited) || !visited.body) return visited
    return replaceBody(factory, visited, withReport(visited.body, name))
  }
  return ts.visitEachChild(file, (node) => visit(node), context)
}

function replaceBody(factory, node, body) {
  const { modifiers, asteriskToken, name, typeParameters, parameters, type } = node
  if (ts.isFunctionDeclaration(node))
    return factory.updateFunctionDeclaration(
      node,
      modifiers,
      asteriskToken,
      name,
      typeParameters,
      parameters,
      type,
      body,
    )
  if (ts.isFunctionExpression(node))
    return factory.updateFunctionExpression(
      node,
      modifiers,
      asteriskToken,
      name,
      typeParameters,
      parameters,
      type,
      body,
    )
  if (ts.isArrowFunction(node))
    return factory.updateArrowFunction(
      node,
      modifiers,
      typeParameters,
      parameters,
      type,
      node.equalsGreaterThanToken,
      body,
    )
  if (ts.isMethodDeclaration(node))
    return factory.updateMethodDeclaration(
      node,
      modifiers,
      asteriskToken,
      name,
      node.questionToken,
      typeParameters,
      parameters,
      type,
      body,
    )
  if (ts.isConstructorDeclaration(node)) return factory.updateConstructorDeclaration(node, modifiers, parameters, body)
  if (ts.isGetAccessorDeclaration(node))
    return factory.updateGetAccessorDeclaration(node, modifiers, name, parameters, type, body)
  if (ts.isSetAccessorDeclaration(node))
    return factory.updateSetAccessorDeclaration(node, modifiers, name, parameters, body)
  return node
}
