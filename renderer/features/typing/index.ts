export { stopAssistant } from './commands.ts'
export { selectBusyPlace, selectIsTyping } from './selectors.ts'
export { TypingDots } from './TypingDots.tsx'
export { TypingLine } from './TypingLine.tsx'
