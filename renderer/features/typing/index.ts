export { stopAssistant, TypingDots, TypingLine, selectBusyPlace, selectIsTyping } from './TypingLine.tsx'
