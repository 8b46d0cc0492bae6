// The main program of the single-file executable. Unpacks the package once for each version and user, and runs its command.
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const { createRequire, enableCompileCache } = require('node:module')
const { homedir, tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { getRawAsset } = require('node:sea')
const { gunzipSync } = require('node:zlib')

const { digest } = JSON.parse(Buffer.from(getRawAsset('version')).toString())
/** Loads a CommonJS module by its absolute path. The `require` of an executable finds only modules of Node.js. */
const requireFile = createRequire(process.execPath)

/**
 * Unpacks the package, unless this version is unpacked already, and returns its folder. The folder belongs to the user,
 * because the files in it are executed. It is a temporary one, removed at exit, if the cache cannot be written.
 */
function unpackPackage() {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const cache = join(caches, 'fake-calendar')
  const folder = join(cache, digest)
  try {
    if (isOwnFolder(folder)) return folder
    for (const one of [caches, cache]) if (!existsSync(one)) mkdirSync(one, { mode: 0o700 })
    const part = mkdtempSync(join(cache, 'part-'))
    unpackTo(part)
    // Another process may have unpacked it at the same time.
    try {
      renameSync(part, folder)
    } catch {
      rmSync(part, { recursive: true })
    }
    if (isOwnFolder(folder)) return folder
  } catch {
    // A home that cannot be written is replaced by a temporary folder below.
  }
  const temporary = mkdtempSync(join(tmpdir(), `fake-calendar-${digest}-`))
  process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))
  unpackTo(temporary)
  return temporary
}

/** Returns true if a folder exists and belongs to the user of this process. On Windows, owners are not compared. */
function isOwnFolder(folder) {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found !== undefined && (process.getuid === undefined || found.uid === process.getuid())
}

/** Writes the files of the package to a folder. Throws the errors of `node:fs`. */
function unpackTo(folder) {
  for (const [name, text] of Object.entries(JSON.parse(gunzipSync(Buffer.from(getRawAsset('files'))).toString()))) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, Buffer.from(text, 'base64'))
  }
}

// The command starts other programs of the package by `process.execPath`, which is this file. Their path is then the first argument.
const [first] = process.argv.slice(2)
if (first?.includes(digest) && first.endsWith('.cjs')) {
  process.argv.splice(1, 1)
  requireFile(first)
} else {
  const folder = unpackPackage()
  if (enableCompileCache) enableCompileCache(join(folder, 'compiled'))
  requireFile(join(folder, 'dist', 'cli.cjs')).main(process.argv.slice(2))
}
