import { testConvergence, testRegressions } from './converge.ts'

testRegressions()
testConvergence(0)
