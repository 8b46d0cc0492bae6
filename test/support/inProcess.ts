import { transport } from './team.ts'

transport.inProcess = true
