import { way } from './team.ts'

way.inProcess = true
