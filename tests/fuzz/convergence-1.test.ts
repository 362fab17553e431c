import { testConvergence } from './converge.ts'

testConvergence(0)
