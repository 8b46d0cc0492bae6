import { startIdentity } from './identity.ts'

startIdentity()
