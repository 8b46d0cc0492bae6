/** A CSS module. Its classes have generated names. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}

/** A global style sheet. */
declare module '*.css'
