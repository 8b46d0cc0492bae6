import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

// Read once, because each access to the imported module takes longer than a comparison.
const { forEachChild, isCallExpression, SyntaxKind } = ts
const DECLARATIONS: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.VariableDeclaration,
  SyntaxKind.Parameter,
  SyntaxKind.PropertySignature,
  SyntaxKind.MethodSignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.TypeParameter,
])

/** One place that breaks a rule of the language. */
export type Finding = { file: string; line: number; rule: 'headless' | 'name' | 'duplicate'; text: string }

type Comment = { line: number; text: string }

/** A sentence that starts with one of these words has a clause as its subject. */
const HEADLESS =
  /^(What|Whatever|Whether|Who|Whoever|Whom|Whose|How|However|Which|Whichever|Those|Where|Wherever|That)\b/
/** Sentences with a pronoun as subject, and "However," as an adverb. */
const PLAIN =
  /^(That (is|was|way|means|makes|happens|would|can|could|needs|takes|costs|keeps)\b|However,|Those (are|were)\b)/

/** A clause or a pronoun as the subject of a test title. */
const HEADLESS_TITLE =
  /^(what|whatever|whether|who|whoever|whom|whose|how|however|which|whichever|where|wherever|those|that|nobody|nothing|none|nor|neither)(?=[\s,]|$)/i
/** Constants that do not name their limit: `MOST`, `MOST_PAGES`, `LONGEST_NAME`. Limits are named `MAX_` or `MIN_` with a unit. */
const VAGUE_LIMITS =
  /^(MOST|LONGEST|SHORTEST|DEEPEST|DEPTH|PATIENCE|FEW|FEWEST|FURTHEST|BIGGEST|LARGEST|ENOUGH|MANY)(_|$)/

/** The numbers of headings before a title, separated by commas. */
const HEADING_NUMBERS = /^\d+(\.\d+)*(, \d+(\.\d+)*)* /

/** Lists the source files below a folder. */
export function sourcesBelow(folder: string): string[] {
  return (
    readdirSync(folder, { withFileTypes: true })
      // Other tests write to folders with a dot and remove them, while this one reads.
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .flatMap((entry) => {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) return sourcesBelow(path)
        return /\.([cm]?js|tsx?)$/.test(entry.name) ? [path] : []
      })
      .sort()
  )
}

/** Lists the sentences of a comment or a paragraph that start with a headless clause. */
export function headlessSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?:][)’”"'`*]*)\s+(?=[A-Z`])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => HEADLESS.test(sentence) && !PLAIN.test(sentence))
}

type Scanned = { findings: Finding[]; exportedTypes: string[] }
const scanned = new Map<string, Scanned>()

/** Lists the headless sentences, vague limits and exported types of one source file. Reads each file once. */
export function scanSource(file: string): Scanned {
  const found = scanned.get(file) ?? readSource(file)
  scanned.set(file, found)
  return found
}

function readSource(file: string): Scanned {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, ts.ScriptKind[tsx(file) ? 'TSX' : 'TS'])
  const findings: Finding[] = []
  for (const { line, text: comment } of commentsOf(source)) {
    for (const sentence of headlessSentences(comment)) findings.push({ file, line, rule: 'headless', text: sentence })
  }
  for (const { line, text: title } of testTitles(source)) {
    if (HEADLESS_TITLE.test(title)) findings.push({ file, line, rule: 'headless', text: title })
  }
  for (const { name, line } of declaredNames(source)) {
    if (VAGUE_LIMITS.test(name)) {
      findings.push({ file, line, rule: 'name', text: `${name} (use MAX_… or MIN_… with the limit and its unit)` })
    }
  }
  const exportedTypes = source.statements.filter(isExportedType).map((statement) => statement.name?.text ?? '')
  return { findings, exportedTypes }
}

/** Lists exported types that several of the files declare. */
export function duplicateTypes(files: { file: string; exportedTypes: string[] }[]): Map<string, string[]> {
  const declarations = new Map<string, string[]>()
  for (const { file, exportedTypes } of files) {
    for (const name of new Set(exportedTypes)) declarations.set(name, [...(declarations.get(name) ?? []), file])
  }
  return new Map([...declarations].filter(([, places]) => places.length > 1))
}

/** Lists the headless sentences of a Markdown page, outside code and quotations. */
export function scanPage(file: string): Finding[] {
  const findings: Finding[] = []
  let isCode = false
  let paragraph: Comment = { line: 0, text: '' }
  const finish = () => {
    for (const text of headlessSentences(paragraph.text)) {
      if (!text.endsWith('?')) findings.push({ file, line: paragraph.line, rule: 'headless', text })
    }
    paragraph = { line: 0, text: '' }
  }
  for (const [at, row] of readFileSync(file, 'utf8').split('\n').entries()) {
    const starts = /^\s*([-*|#]|\d+\.|$)/.test(row)
    if (/^\s*```/.test(row)) isCode = !isCode
    if (isCode || starts || /^\s*(```|>)/.test(row)) finish()
    if (isCode || /^\s*(```|>)/.test(row)) continue
    for (const cell of /^\s*\|/.test(row) ? row.split('|') : [row.replace(/^\s*([-*#]+|\d+\.)\s+/, '')]) {
      if (/^\s*\|/.test(row)) finish()
      if (paragraph.line === 0) paragraph.line = at + 1
      paragraph.text = `${paragraph.text} ${cell.trim()}`.trim()
    }
  }
  finish()
  return findings
}

function tsx(file: string): boolean {
  return file.endsWith('x')
}

/** Lists the test titles of a source text that have a clause or a pronoun as their subject. */
export function headlessTitles(text: string): string[] {
  const source = ts.createSourceFile('titles.ts', text, ts.ScriptTarget.Latest)
  return testTitles(source).flatMap(({ text }) => (HEADLESS_TITLE.test(text) ? [text] : []))
}

/**
 * Lists the titles of tests and suites without heading numbers: the first argument of `test(…)`, `describe.each(…)(…)` and
 * their variants. If it begins with `%s`, the titles are the rows of the table.
 */
function testTitles(source: ts.SourceFile): Comment[] {
  const titles: Comment[] = []
  const visit = (node: ts.Node) => {
    const title = isCallExpression(node) && isTestFunction(node.expression) ? node.arguments[0] : undefined
    if (title && isText(title)) {
      const text = textOf(title, source).replace(HEADING_NUMBERS, '')
      const rows = text.startsWith('%s') ? rowTitles((node as ts.CallExpression).expression, source) : []
      for (const part of [title, ...rows]) {
        const line = source.getLineAndCharacterOfPosition(part.getStart(source)).line + 1
        titles.push({ line, text: part === title ? text : textOf(part, source) })
      }
    }
    forEachChild(node, visit)
  }
  visit(source)
  return titles
}

const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

const textOf = (node: ts.Node, source: ts.SourceFile): string => node.getText(source).slice(1, -1)

/** Lists the texts at the beginning of the rows that `test.each(rows)` gets, in place or as a constant of the file. */
function rowTitles(call: ts.Expression, source: ts.SourceFile): ts.Node[] {
  let table = isCallExpression(call) ? call.arguments[0] : undefined
  if (table && ts.isIdentifier(table)) table = initializerOf(table.text, source)
  while (table && (ts.isAsExpression(table) || ts.isSatisfiesExpression(table))) table = table.expression
  const rows = table && ts.isArrayLiteralExpression(table) ? table.elements : []
  return rows
    .map((row) => (ts.isArrayLiteralExpression(row) ? row.elements[0] : row))
    .filter((title) => title !== undefined && isText(title))
}

/** Returns the initial value of the first variable with a name at the top level of a file. */
function initializerOf(name: string, source: ts.SourceFile): ts.Expression | undefined {
  const declarations = source.statements
    .filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations])
  return declarations.find((one) => ts.isIdentifier(one.name) && one.name.text === name)?.initializer
}

function isTestFunction(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return /^(test|it|describe)$/.test(node.text)
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return isTestFunction(node.expression)
  return ts.isTaggedTemplateExpression(node) && isTestFunction(node.tag)
}

/** Lists the comments of a file. Line comments on consecutive lines are one comment. */
function commentsOf(source: ts.SourceFile): Comment[] {
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const comments: (Comment & { lastLine: number; isLine: boolean })[] = []
  for (const [pos, end] of commentRanges(source)) {
    const line = lineOf(pos)
    const isLine = source.text[pos + 1] === '/'
    const text = source.text
      .slice(pos, end)
      .replace(/^\/\*+|\*+\/$/g, '')
      .replace(/^\s*(\/\/|\*)/gm, '')
      .replace(/\s+/g, ' ')
      .trim()
    const before = comments.at(-1)
    if (isLine && before?.isLine && before.lastLine === line - 1) {
      before.text += ` ${text}`
      before.lastLine = line
    } else comments.push({ line, text, lastLine: lineOf(end), isLine })
  }
  return comments
}

/** Returns true for literals and the parts of templates, which are one range of kinds. */
const isLiteral = (kind: ts.SyntaxKind): boolean =>
  kind >= SyntaxKind.FirstLiteralToken && kind <= SyntaxKind.TemplateTail

/** Lists the start and end of each comment: everything that looks like one outside of literals. */
function commentRanges(source: ts.SourceFile): [number, number][] {
  const literalEnds = new Map<number, number>()
  const visit = (node: ts.Node) => {
    if (node.kind === SyntaxKind.JsxText) literalEnds.set(node.pos, node.end)
    else if (isLiteral(node.kind)) literalEnds.set(node.getStart(source), node.end)
    forEachChild(node, visit)
  }
  visit(source)
  const ranges: [number, number][] = []
  const literals = [...literalEnds].sort(([a], [b]) => a - b)
  const pattern = /\/\*[\s\S]*?\*\/|\/\/.*/g
  const find = (from: number) => {
    pattern.lastIndex = from
    return pattern.exec(source.text)
  }
  let at = 0
  let match = find(at)
  for (const [start, end] of [...literals, [source.text.length, source.text.length] as const]) {
    // The search continues only behind literals that contain the found text, because it reads up to the next comment.
    if (match && match.index < at) match = find(at)
    for (; match && match.index < start; match = find(pattern.lastIndex)) {
      ranges.push([match.index, match.index + match[0].length])
    }
    at = end
  }
  return ranges
}

/** Lists the names that a file declares: types, functions, variables, parameters, properties and methods. */
function declaredNames(source: ts.SourceFile): { name: string; line: number }[] {
  const names: { name: string; line: number }[] = []
  const visit = (node: ts.Node) => {
    const name = isDeclaration(node) ? node.name : undefined
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
      const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1
      names.push({ name: name.text.replace(/^#/, ''), line })
    }
    forEachChild(node, visit)
  }
  visit(source)
  return names
}

/** A property of an object literal counts only as a method, because its name is given by the type of the object. */
const isDeclaration = (node: ts.Node): node is ts.NamedDeclaration =>
  DECLARATIONS.has(node.kind) || (node.kind === SyntaxKind.BindingElement && hasOwnName(node as ts.BindingElement))

const hasOwnName = ({ propertyName, dotDotDotToken }: ts.BindingElement): boolean =>
  (propertyName ?? dotDotDotToken) !== undefined

type TypeStatement = ts.TypeAliasDeclaration | ts.InterfaceDeclaration | ts.ClassDeclaration

function isExportedType(statement: ts.Statement): statement is TypeStatement {
  const isType =
    ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)
  return isType && (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
}
