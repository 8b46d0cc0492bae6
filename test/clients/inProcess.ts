import { way } from './support.ts'

way.inProcess = true
