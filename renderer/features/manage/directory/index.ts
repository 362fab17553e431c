export { EditableText } from './EditableText.tsx'
