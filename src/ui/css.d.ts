/** A style sheet, which the page gets beside its script. */
declare module '*.css'
