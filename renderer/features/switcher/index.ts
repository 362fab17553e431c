export type { SwitcherAction } from './use-items.ts'
