export { stopAssistant, TypingDots, TypingLine } from './TypingLine.tsx'
export { selectBusyPlace, selectIsTyping } from './selectors.ts'
