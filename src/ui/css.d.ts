/** A CSS module: the generated class names by the names in the file. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}

/** A global style sheet. */
declare module '*.css'
