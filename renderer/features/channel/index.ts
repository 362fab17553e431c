export { changeTopic } from './commands.ts'
export { PanelHead } from './PanelHead.tsx'
