export { stopAssistant, TypingDots, TypingLine, selectBusyPlace } from './TypingLine.tsx'
