import { testConvergence } from './converge.ts'

testConvergence(3)
