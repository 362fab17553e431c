export { useRightRow, useRoleName } from './words.ts'
