import { startLoader } from './loader.ts'

startLoader()
