import { relative } from 'node:path'
import ts from 'typescript'

/**
 * Writes a type that a schema library infers as the plain type that it comes to. A consumer has the package and nothing
 * else: the inferred form would need the library's own declarations, and those do not pass every consumer's compiler.
 */
export function plainTypes({ of, names }: { of: string; names: readonly string[] }) {
  const declarations = of.replace(/\.ts$/, '.d.ts')
  return {
    name: 'plain-types',
    load: {
      order: 'pre' as const,
      handler: (id: string) =>
        relative(process.cwd(), id) === declarations ? { code: declare(of, names), moduleType: 'ts' as const } : null,
    },
  }
}

function declare(file: string, names: readonly string[]): string {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.')
  const program = ts.createProgram([file], options)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const exported = source && checker.getSymbolAtLocation(source)
  if (!exported) throw new Error(`${file} exports nothing`)
  const write = writer(checker)
  return names
    .map((name) => {
      const symbol = checker.getExportsOfModule(exported).find((one) => one.name === name)
      if (!symbol) throw new Error(`${file} exports no ${name}`)
      return `export type ${name} = ${write(checker.getDeclaredTypeOfSymbol(symbol), '')}\n`
    })
    .join('')
}

/** Objects are written member by member with their comments; anything else as the compiler writes it. */
function writer(checker: ts.TypeChecker) {
  const { NoTruncation, UseFullyQualifiedType, InTypeAlias } = ts.TypeFormatFlags
  return function write(type: ts.Type, indent: string): string {
    if (type.isUnion() && type.types.some(isStructured)) {
      return type.types.map((one) => write(one, indent)).join(' | ')
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      return `(${item ? write(item, indent) : 'unknown'})[]`
    }
    const members = checker.getPropertiesOfType(type)
    if (!isStructured(type) || members.length === 0) {
      return checker.typeToString(type, undefined, NoTruncation | UseFullyQualifiedType | InTypeAlias)
    }
    const deeper = `${indent}  `
    const lines = members.map((member) => {
      const comment = ts.displayPartsToString(member.getDocumentationComment(checker))
      const mark = member.flags & ts.SymbolFlags.Optional ? '?' : ''
      const about = comment && `${deeper}/** ${comment} */\n`
      return `${about}${deeper}${nameOf(member)}${mark}: ${write(checker.getTypeOfSymbol(member), deeper)}\n`
    })
    return `{\n${lines.join('')}${indent}}`
  }
}

const nameOf = ({ name }: ts.Symbol): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const isStructured = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Object) !== 0
